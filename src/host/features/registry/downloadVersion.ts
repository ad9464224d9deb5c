import { homedir } from 'node:os';
import { basename } from 'node:path';
import * as vscode from 'vscode';
import { FleetError } from '../../../core/api/errors';
import { safeSegment } from '../../../core/documents/documentAddress';
import { displayName, toDisplayText } from '../../../core/model/displayText';
import type { PackageFileInfo } from '../../../core/model/registryPackage';
import type { RegistryItem, RegistryVersion } from '../../../core/model/registryItem';
import type { RegistryItemTarget } from '../../../core/model/resourceTarget';
import { describeFolderError } from '../../platform/files/describeFolderError';
import { trackProgress } from '../../platform/commands/progress';
import { pickOne } from '../../platform/prompts/prompts';
import { formatBytes, toQuickPickText } from '../../platform/text/displayText';
import { formatPlatform } from '../../platform/text/registryText';
import { resolveTarget } from '../../platform/prompts/resolveTarget';
import { chooseVersion } from './itemPrompts';
import { fetchArchive } from './fetchArchive';
import type { Sleep } from '../../../core/ports';
import type { FleetTools } from '../../platform/fleetTools';

/**
 * Saves a version's archive to a file that the user selects. Saving to the same file again resumes
 * an interrupted download. Throws `FleetError`.
 */
export async function downloadVersion(
  tools: RegistryTools,
  requestedTarget: RegistryItemTarget | undefined,
  versionArgument: unknown,
): Promise<void> {
  const { target, stores } = await resolveTarget(tools, 'registryItem', requestedTarget);
  const item = await stores.registry.get(target.itemId);
  const title = vscode.l10n.t('Download Archive');
  const version = await chooseVersion(item, requestedTarget, versionArgument, title);
  const platform = await choosePlatform(item, version, requestedTarget, title);
  const archive = await stores.registry.package(item, version.version, platform);
  const to = await vscode.window.showSaveDialog({
    title,
    saveLabel: vscode.l10n.t('Download'),
    defaultUri: vscode.Uri.joinPath(
      vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(homedir()),
      fileName(archive),
    ),
  });
  if (!to) return;
  if (to.scheme !== 'file') {
    throw new FleetError('unsupported', vscode.l10n.t('Select a folder on this computer.'));
  }
  const name = basename(to.fsPath);
  const isWhole = await trackProgress(vscode.l10n.t('Downloading {0}', name), (signal, report) =>
    fetchArchive(archive, to.fsPath, {
      registry: stores.registry,
      sleep: tools.sleep,
      describeError: describeFolderError,
      l10n: vscode.l10n,
      signal,
      onBytes: (bytes) => report(formatBytes(bytes)),
    }),
  );
  if (!isWhole) {
    throw new FleetError(
      'unavailable',
      vscode.l10n.t(
        "The checksum of the downloaded file doesn't match the uploaded file. Try again.",
      ),
      { action: 'retry' },
    );
  }
  const reveal = vscode.l10n.t('Show in Folder');
  const done = vscode.l10n.t('Saved {0}.', name);
  if ((await vscode.window.showInformationMessage(done, reveal)) === reveal) {
    await vscode.commands.executeCommand('revealFileInOS', to);
  }
}

/**
 * Returns the clicked platform, the only platform, or a platform that the user selects; undefined
 * for any platform.
 */
async function choosePlatform(
  item: RegistryItem,
  { version, files }: RegistryVersion,
  requestedTarget: RegistryItemTarget | undefined,
  title: string,
): Promise<string | undefined> {
  const clicked =
    requestedTarget && 'platform' in requestedTarget ? requestedTarget.platform : undefined;
  if (typeof clicked === 'string') return clicked;
  if (files.length < 2) return files[0]?.platform;
  const chosen = await pickOne(
    files.map(({ platform }) => ({ platform, label: toQuickPickText(formatPlatform(platform)) })),
    {
      title,
      placeholder: vscode.l10n.t(
        'Select the platform of the archive for {0} {1}',
        displayName(item),
        toDisplayText(version),
      ),
    },
  );
  return chosen.platform;
}

/** Returns the same file name that the service uses. */
function fileName({ name, version, platform }: PackageFileInfo): string {
  const parts = [name, version, ...platform.split('/')];
  return `${parts.map((part) => safeSegment(part)).join('-')}.tar.gz`;
}

/** Dependencies of commands for registry items. */
export interface RegistryTools extends FleetTools {
  readonly sleep: Sleep;
}
