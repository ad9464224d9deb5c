import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { getModuleFolder, type ManifestFile } from '../../../platform/modules/moduleManifests';

/** Folders with dependencies or build output. */
const EXCLUDED = '**/{node_modules,.git,.venv,venv,__pycache__,dist,build,target,gen}/**';
const MAX_FILES = 2_000;

/**
 * Returns true if a module's build is missing or outdated: its entrypoint or archive is missing, or
 * a source file is newer than the archive. Always false if there is no build command.
 */
export async function isBuildOld({ uri, manifest }: ManifestFile): Promise<boolean> {
  const { build, path } = manifest.build;
  if (!build?.trim()) return false;
  const folder = getModuleFolder(uri);
  const statFile = (file: string) => stat(join(folder.fsPath, file)).catch(() => undefined);
  if (!(await statFile(manifest.entrypoint))) return true;
  if (path === undefined || path === '') return false;
  const result = await statFile(path);
  if (!result) return true;
  // A folder's modification time doesn't reflect that of its files.
  if (!result.isFile()) return false;
  const pattern = new vscode.RelativePattern(folder, '**/*');
  const sources = await vscode.workspace.findFiles(pattern, EXCLUDED, MAX_FILES);
  const resultFile = join(folder.fsPath, path);
  const changes = await Promise.all(
    sources
      .filter(({ fsPath }) => fsPath !== resultFile)
      .map(({ fsPath }) =>
        stat(fsPath).then(
          (status) => status.mtimeMs,
          () => 0,
        ),
      ),
  );
  return changes.some((changedAt) => changedAt > result.mtimeMs);
}
