import { chmod, mkdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { lookAtFile } from '../../../archives/lookAtFile';
import { FleetError } from '../../../core/api/errors';
import { displayText } from '../../../core/model/displayText';
import { insidePath } from '../../../core/modules/manifest/manifestPath';

/** Anyone who can read it can execute it. */
const executableMode = (mode: number): number => (mode | ((mode & 0o444) >> 2)) & 0o777;

const NEW_SCRIPT = '#!/bin/sh\nset -eu\n\n';

/**
 * Gives a file of a module the permission to be executed.
 * @throws FleetError `invalid` when it is no file of the folder of the manifest
 */
export async function makeExecutable(manifest: vscode.Uri, file: string): Promise<void> {
  const place = await placeOf(manifest, file, ['ok', 'notExecutable']);
  const { mode } = await stat(place);
  await chmod(place, executableMode(mode));
}

/**
 * Makes a script that a manifest names, executable, and opens it.
 * @throws FleetError `invalid` when something is there already, or it would be outside of the folder
 */
export async function createScript(manifest: vscode.Uri, file: string): Promise<void> {
  const place = await placeOf(manifest, file, ['missing']);
  await mkdir(dirname(place), { recursive: true });
  await writeFile(place, NEW_SCRIPT, { flag: 'wx', mode: 0o755 });
  await vscode.window.showTextDocument(vscode.Uri.file(place));
}

/** Looked at again: what was found may be another now, such as a link out of the folder. */
async function placeOf(
  manifest: vscode.Uri,
  file: string,
  expected: readonly string[],
): Promise<string> {
  const folder = vscode.Uri.joinPath(manifest, '..').fsPath;
  const inside = insidePath(file);
  const { state } = await lookAtFile(folder, file);
  if (manifest.scheme === 'file' && inside !== undefined && expected.includes(state)) {
    return join(folder, inside);
  }
  throw new FleetError(
    'invalid',
    vscode.l10n.t('{0} has changed since it was checked. Nothing was changed.', displayText(file)),
  );
}
