import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import * as vscode from 'vscode';
import { canceled } from '../../../../core/api/errors';
import { toDisplayText } from '../../../../core/model/displayText';
import type { RegistryVersion } from '../../../../core/model/registryItem';
import { formatPlatform } from '../../../platform/text/registryText';
import { type LastUpload, nextVersion, type Repetition, type UploadedBuild } from './lastUploads';
import type { ModuleUploadTools } from './uploadTools';

/**
 * Prompts for confirmation if the builds haven't changed since their last upload. Uploading the
 * same archive as another version usually means that the user forgot to rebuild it. Throws
 * `canceled`.
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
      "{0} hasn't changed since it was uploaded as {1}. Build the module again first?",
      toDisplayText(basename(first.path)),
      last.version,
    ),
    build,
    anyway,
  );
  if (chosen === anyway) return;
  if (chosen === build) {
    await commands.execute('fleetwright.module.build', vscode.Uri.parse(last.manifest));
  }
  throw canceled();
}

/**
 * Prompts for confirmation if only part of a version was uploaded and the rest has since been
 * rebuilt, possibly from different sources. Throws `canceled`.
 */
export async function requireSameSource(
  last: LastUpload,
  repetition: Repetition,
  versions: readonly RegistryVersion[],
): Promise<Repetition> {
  const { version, arrived } = repetition;
  const changed = await Promise.all(arrived.map(isChanged));
  const [first] = arrived.filter((_, index) => changed[index]);
  if (!first) return repetition;
  const next = nextVersion(versions);
  const add = vscode.l10n.t('Add to {0}', version);
  const all = vscode.l10n.t('Upload All as {0}', next);
  const chosen = await vscode.window.showWarningMessage(
    vscode.l10n.t(
      '{0} already has an archive for {1}, but the module has been built again since then. Upload the missing archives for {0} anyway?',
      version,
      formatPlatform(first.platform),
    ),
    all,
    add,
  );
  if (chosen === all) return { version: next, builds: last.builds, arrived: [] };
  if (chosen === add) return repetition;
  throw canceled();
}

async function isUnchanged({ path, writtenAt }: UploadedBuild): Promise<boolean> {
  return writtenAt !== undefined && (await writtenNow(path)) === writtenAt;
}

/** Returns true if the build exists and has changed since the upload. */
async function isChanged({ path, writtenAt }: UploadedBuild): Promise<boolean> {
  const now = await writtenNow(path);
  return now !== undefined && writtenAt !== undefined && now !== writtenAt;
}

async function writtenNow(path: string): Promise<number | undefined> {
  return (await stat(path).catch(() => undefined))?.mtimeMs;
}
