import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import * as vscode from 'vscode';
import { cancelled } from '../../../core/api/errors';
import { displayText } from '../../../core/model/displayText';
import type { LastUpload, UploadedBuild } from './lastUploads';
import type { ModuleUploadTools } from './uploadTools';

/**
 * Asks about builds that are as they were when they were uploaded last: the same archive under another
 * version is seldom meant, it was not built again. Throws `cancelled`.
 */
export async function requireChanged(
  { commands }: ModuleUploadTools,
  last: LastUpload,
): Promise<void> {
  const unchanged = await Promise.all(last.builds.map(isUnchanged));
  const [first] = last.builds.filter((_, index) => unchanged[index]);
  if (!first) return;
  const build = vscode.l10n.t('Build');
  const anyway = vscode.l10n.t('Upload Anyway');
  const chosen = await vscode.window.showWarningMessage(
    vscode.l10n.t(
      '{0} has not changed since it was uploaded as {1}. Build the module again first?',
      displayText(basename(first.path)),
      last.version,
    ),
    build,
    anyway,
  );
  if (chosen === anyway) return;
  if (chosen === build) {
    await commands.execute('fleetwright.module.build', vscode.Uri.parse(last.manifest));
  }
  throw cancelled();
}

async function isUnchanged({ path, writtenAt }: UploadedBuild): Promise<boolean> {
  if (writtenAt === undefined) return false;
  const now = await stat(path).catch(() => undefined);
  return now?.mtimeMs === writtenAt;
}
