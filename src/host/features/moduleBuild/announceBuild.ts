import * as vscode from 'vscode';
import { FleetError } from '../../../core/api/errors';
import { toDisplayText } from '../../../core/model/toDisplayText';
import type { Commands } from '../../platform/commandRegistry';
import { formatList } from '../../platform/formatList';
import { type ManifestFile, readManifestFile } from '../../platform/moduleManifests';
import { getManifestUri, platformsIn } from './buildTask';

/** Reports that a module was built, and offers to upload it. */
export async function announceBuilt(
  commands: Commands,
  file: ManifestFile,
  platforms: readonly string[],
): Promise<void> {
  const name = formatManifestName(file);
  const message =
    platforms.length === 0
      ? vscode.l10n.t('Built {0}.', name)
      : vscode.l10n.t('Built {0} for {1}.', name, formatList(platforms));
  const upload = vscode.l10n.t('Upload Module Version…');
  if ((await vscode.window.showInformationMessage(message, upload)) !== upload) return;
  await commands.execute('fleetwright.module.uploadBuild', file.uri);
}

/**
 * Reports the result of a build that ran as a separate task, for example from *Run Build Task*.
 * @throws FleetError if the build failed
 */
export async function announceTask(
  commands: Commands,
  { definition, scope }: vscode.Task,
  exitCode: number,
): Promise<void> {
  const file = await readManifestFile(getManifestUri(definition, scope));
  if (exitCode === 0) {
    await announceBuilt(commands, file, platformsIn(definition));
    return;
  }
  throw buildFailure(file, exitCode);
}

/** Returns the error for a failed build. The message explains where to find details. */
export function buildFailure(file: ManifestFile, exitCode: number): FleetError {
  return new FleetError(
    'invalid',
    vscode.l10n.t(
      'The build of {0} failed with exit code {1}. See the terminal for details. Errors with a file and line also appear in the Problems view.',
      formatManifestName(file),
      exitCode,
    ),
    { action: 'retry' },
  );
}

/** Returns the name of a module for messages. */
export function formatManifestName({ uri, manifest }: ManifestFile): string {
  return toDisplayText(manifest.moduleId || vscode.workspace.asRelativePath(uri));
}
