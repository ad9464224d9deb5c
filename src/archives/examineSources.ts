import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  checkDescription,
  checkScript,
  type DescriptionState,
  listDescriptions,
  listScripts,
  MAX_DESCRIPTION_BYTES,
} from '../core/modules/manifest/checkSources';
import type { ManifestDiagnostic } from '../core/modules/manifest/manifestDiagnostic';
import type { ModuleManifest } from '../core/modules/manifest/moduleManifest';
import { inspectFile } from './inspectFile';

/**
 * Checks the description files that an upload publishes with a module.
 * @param folder absolute path of the manifest's folder
 * @throws file system errors, and the signal's reason
 */
export async function examineDescriptions(
  folder: string,
  manifest: ModuleManifest,
  signal: AbortSignal,
): Promise<readonly ManifestDiagnostic[]> {
  const states = new Map<string, DescriptionState>();
  const diagnostics: ManifestDiagnostic[] = [];
  for (const description of listDescriptions(manifest)) {
    const { file } = description;
    const state = states.get(file) ?? (await readDescription(folder, file));
    states.set(file, state);
    diagnostics.push(...checkDescription(description, state));
    signal.throwIfAborted();
  }
  return diagnostics;
}

/**
 * Checks the scripts in the manifest's folder that the build runs. Takes the same parameters as
 * `examineDescriptions`.
 */
export async function examineScripts(
  folder: string,
  manifest: ModuleManifest,
  signal: AbortSignal,
): Promise<readonly ManifestDiagnostic[]> {
  const diagnostics: ManifestDiagnostic[] = [];
  for (const script of listScripts(manifest)) {
    diagnostics.push(...checkScript(script, (await inspectFile(folder, script.file)).state));
    signal.throwIfAborted();
  }
  return diagnostics;
}

async function readDescription(folder: string, file: string): Promise<DescriptionState> {
  const { state } = await inspectFile(folder, file);
  if (state !== 'ok' && state !== 'notExecutable') return state;
  const path = join(folder, file);
  const { size } = await stat(path);
  return size > MAX_DESCRIPTION_BYTES ? 'tooLong' : { text: await readFile(path, 'utf8') };
}
