import * as vscode from 'vscode';
import { FleetError, isCanceled } from '../../../../core/api/errors';
import { toDisplayText, withoutLinks } from '../../../../core/model/displayText';
import type { Platform } from '../../../../core/modules/platforms';
import {
  isRegistered,
  listForeignFiles,
  type PlatformBuild,
} from '../../../../core/modules/upload/uploadBuilds';
import { formatList } from '../../../platform/text/displayText';
import { formatPlatform } from '../../../platform/text/registryText';
import type { UploadSettings } from './uploadSettings';
import type { ModuleUploadTools, UploadSubject } from './uploadTools';

/**
 * Maximum time in milliseconds that a user waits after canceling to see which builds were uploaded.
 */
const RECHECK_TIMEOUT_MS = 5_000;

/** Upload that the user has confirmed. */
export interface UploadRun {
  readonly tools: ModuleUploadTools;
  readonly subject: UploadSubject;
  readonly settings: UploadSettings;
}

/**
 * Reports the uploaded builds.
 * @param platforms platforms uploaded by this client
 */
export async function notifySuccess(run: UploadRun, platforms: readonly Platform[]): Promise<void> {
  const { tools, subject, settings } = run;
  const deploy = vscode.l10n.t('Deploy to Machine…');
  const show = vscode.l10n.t('Show Page');
  const message = vscode.l10n.t(
    'Uploaded {0} {1} for {2}.',
    toDisplayText(subject.item.id),
    settings.version,
    formatList(platforms.map(formatPlatform)),
  );
  const others = await listForeignPlatforms(run, platforms);
  const { window } = vscode;
  const chosen =
    others.length === 0
      ? await window.showInformationMessage(message, deploy, show)
      : await window.showWarningMessage(`${message} ${formatForeignWarning(others)}`, deploy, show);
  const { target } = subject;
  if (chosen === deploy) {
    await tools.commands.execute('fleetwright.module.deploy', target, settings.version);
  }
  if (chosen === show) await tools.commands.execute('fleetwright.registryItem.show', target);
}

/**
 * Returns the platforms that another client uploaded to the same version. Two windows can propose
 * the same version, which then contains builds from two sources.
 */
async function listForeignPlatforms(
  { subject: { registry, item }, settings }: UploadRun,
  own: readonly Platform[],
): Promise<readonly string[]> {
  try {
    const { versions } = await registry.get(item.id, { fresh: true });
    return listForeignFiles(settings.version, item.versions, versions, own).map(
      ({ platform }) => platform,
    );
  } catch {
    // The upload was successful even if the registry no longer responds.
    return [];
  }
}

function formatForeignWarning(platforms: readonly string[]): string {
  return vscode.l10n.t(
    'Another upload added the same version for {0} in the meantime. Check that both come from the same source.',
    formatList(platforms.map(formatPlatform)),
  );
}

/**
 * Reports why an upload failed.
 * @returns true if the remaining builds must be retried
 */
export async function notifyFailure(
  run: UploadRun,
  error: FleetError,
  there: readonly Platform[],
  rest: readonly PlatformBuild[],
): Promise<boolean> {
  const { tools, subject, settings } = run;
  const [first] = rest;
  const platform = first?.platform ?? 'any';
  const isOver = isCanceled(error) || error.action === 'signIn' || error.kind === 'conflict';
  const mightHaveArrived = first?.wasCut === true;
  // If the upload can be retried, the retry performs this check when the registry responds again.
  const hasArrived = mightHaveArrived && isOver && (await checkRegistered(run, platform));
  const sentences = [
    isCanceled(error)
      ? vscode.l10n.t('The upload was canceled.')
      : vscode.l10n.t(
          "Couldn't upload {0} {1} for {2}. {3}",
          toDisplayText(subject.item.id),
          settings.version,
          formatPlatform(platform),
          withoutLinks(error.message),
        ),
    ...registeredTexts(hasArrived === true ? [...there, platform] : there, {
      isCertain: hasArrived !== undefined && (isOver || !mightHaveArrived),
    }),
  ];
  if (hasArrived === undefined) {
    sentences.push(
      vscode.l10n.t(
        'The archive for {0} might have been uploaded anyway. Check the module page before you upload it again.',
        formatPlatform(platform),
      ),
    );
  }
  if (isCanceled(error)) {
    void vscode.window.showInformationMessage(sentences.join(' '));
    return false;
  }
  if (error.action === 'signIn') {
    // Sending the build again with the same key would cause the same error.
    const { kind, action } = error;
    tools.presentError(new FleetError(kind, sentences.join(' '), { cause: error, action }));
    return false;
  }
  if (error.kind === 'conflict') {
    // The build has changed and must first be validated.
    void offerRetry(tools, subject, sentences.join(' ')).catch(tools.presentError);
    return false;
  }
  const again = vscode.l10n.t('Retry');
  sentences.push(
    mightHaveArrived
      ? vscode.l10n.t(
          'The upload might have completed. Retry checks first, and uploads again only if needed.',
        )
      : vscode.l10n.t('Retrying uploads the whole archive again.'),
  );
  return (await vscode.window.showErrorMessage(sentences.join(' '), again)) === again;
}

/**
 * Returns true if an archive is registered although its upload received no response; undefined if
 * this can't be determined.
 */
function checkRegistered(
  { subject: { registry, item }, settings: { version } }: UploadRun,
  platform: Platform,
): Promise<boolean | undefined> {
  return isRegistered(
    registry,
    item,
    { version, platform },
    AbortSignal.timeout(RECHECK_TIMEOUT_MS),
  );
}

/** @param isCertain true if it is known which builds are registered */
function registeredTexts(
  there: readonly Platform[],
  { isCertain }: { readonly isCertain: boolean },
): readonly string[] {
  if (there.length > 0) {
    return [vscode.l10n.t('Registered: {0}.', formatList(there.map(formatPlatform)))];
  }
  return isCertain ? [vscode.l10n.t('Nothing was registered.')] : [];
}

async function offerRetry(
  { commands }: ModuleUploadTools,
  { file, target }: UploadSubject,
  message: string,
): Promise<void> {
  const again = vscode.l10n.t('Upload Again…');
  if ((await vscode.window.showErrorMessage(message, again)) !== again) return;
  if (file) await commands.execute('fleetwright.module.repeatUpload', file.uri);
  else await commands.execute('fleetwright.module.uploadBuild', target);
}
