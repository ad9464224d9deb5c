import { chmod, mkdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { inspectFile } from '../../../../archives/inspectFile';
import { FleetError } from '../../../../core/api/errors';
import { toDisplayText } from '../../../../core/model/displayText';
import { insidePath } from '../../../../core/modules/manifest/manifestPath';

/** Returns a mode that also grants execute permission to everyone with read permission. */
const executableMode = (mode: number): number => (mode | ((mode & 0o444) >> 2)) & 0o777;

const NEW_SCRIPT = '#!/bin/sh\nset -eu\n\n';

/**
 * Makes a module's file executable.
 * @throws FleetError `invalid` if it isn't a file in the manifest's folder
 */
export async function makeExecutable(manifest: vscode.Uri, file: string): Promise<void> {
  const path = await resolveFilePath(manifest, file, ['ok', 'notExecutable']);
  const { mode } = await stat(path);
  await chmod(path, executableMode(mode));
}

/**
 * Creates an executable script that a manifest references, and opens the script.
 * @throws FleetError `invalid` if the file already exists or would be outside the folder
 */
export async function createScript(manifest: vscode.Uri, file: string): Promise<void> {
  const path = await resolveFilePath(manifest, file, ['missing']);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, NEW_SCRIPT, { flag: 'wx', mode: 0o755 });
  await vscode.window.showTextDocument(vscode.Uri.file(path));
}

/**
 * Checks the file again, because it might have been replaced since the inspection, for example by a
 * link to a path outside the folder.
 */
async function resolveFilePath(
  manifest: vscode.Uri,
  file: string,
  expected: readonly string[],
): Promise<string> {
  const folder = vscode.Uri.joinPath(manifest, '..').fsPath;
  const inside = insidePath(file);
  const { state } = await inspectFile(folder, file);
  if (manifest.scheme === 'file' && inside !== undefined && expected.includes(state)) {
    return join(folder, inside);
  }
  throw new FleetError(
    'invalid',
    vscode.l10n.t(
      '{0} has changed since it was checked, so no changes were made.',
      toDisplayText(file),
    ),
  );
}
