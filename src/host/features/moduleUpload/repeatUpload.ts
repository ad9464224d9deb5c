import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import * as vscode from 'vscode';
import { cancelled } from '../../../core/api/errors';
import { displayText } from '../../../core/model/displayText';
import { MANIFEST_NAME } from '../../../core/modules/manifest/moduleManifest';
import type { PreparedBuild } from '../../../core/modules/upload/preparedBuild';
import { proposedVersion } from '../../../core/modules/upload/proposedVersion';
import { inspectBuilds } from './inspectBuilds';
import { type LastUpload, LastUploads, type UploadedBuild } from './lastUploads';
import { runUpload } from './runUpload';
import { uploadBuild } from './uploadBuild';
import { problemOf, repeatedBuild, settleUpload } from './uploadMenu';
import { uploadSubject } from './uploadSubject';
import type { ModuleUploadTools } from './uploadTools';

/**
 * Uploads the same builds as last time in the next version, and asks nothing where nothing is doubtful:
 * of the module in front or given, else of the last one.
 */
export async function repeatUpload(
  tools: ModuleUploadTools,
  given: object | undefined,
): Promise<void> {
  const last = lastUpload(new LastUploads(tools.storage), given);
  if (!last) return uploadBuild(tools, given);
  await requireChanged(tools, last);
  const title = vscode.l10n.t('Repeat Last Upload');
  const subject = await uploadSubject(tools, vscode.Uri.parse(last.manifest), title);
  const found = last.builds.map(({ path, platform }) => ({ path, before: platform }));
  const builds = await inspectBuilds(subject, found);
  const version = proposedVersion(subject.item.versions.map((one) => one.version));
  const settings = { version, builds };
  const isSure =
    builds.every(isExpected) &&
    repeatedBuild(settings) === undefined &&
    problemOf(subject, settings) === undefined;
  await runUpload(tools, subject, isSure ? settings : await settleUpload(subject, settings));
}

function lastUpload(uploads: LastUploads, given: object | undefined): LastUpload | undefined {
  if (given instanceof vscode.Uri) return uploads.get(given.toString());
  if (given !== undefined) return undefined;
  const front = vscode.window.activeTextEditor?.document.uri;
  const isManifest = front !== undefined && basename(front.path) === MANIFEST_NAME;
  return (isManifest ? uploads.get(front.toString()) : undefined) ?? uploads.get();
}

function isExpected({ platform, expected }: PreparedBuild): boolean {
  return platform !== undefined && expected === undefined;
}

/** The same archive under another version is seldom meant: it was not built again. */
async function requireChanged({ commands }: ModuleUploadTools, last: LastUpload): Promise<void> {
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
