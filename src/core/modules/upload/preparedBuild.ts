import type { BuildFacts, NamedFiles } from '../buildFacts';
import { checkManifest } from '../manifest/checkManifest';
import type { ManifestFinding } from '../manifest/manifestFinding';
import type { ModuleManifest } from '../manifest/moduleManifest';
import type { Platform } from '../platforms';
import { type BuildPlatform, buildPlatform } from './buildPlatform';
import type { BuildReader, ReadBuildOptions } from './buildReader';

/** Build that was inspected before the upload. */
export interface PreparedBuild extends BuildPlatform {
  /** Path on this computer, absolute. */
  readonly path: string;
  readonly facts: BuildFacts;
  /** Problems that prevent uploading or starting it, on any platform. */
  readonly findings: readonly ManifestFinding[];
}

/**
 * Inspects a build and compares it with its manifest.
 * @param before platform of the last upload from this path
 * @throws file system errors if it doesn't exist
 */
export async function prepareBuild(
  reader: BuildReader,
  { path, before }: { readonly path: string; readonly before?: Platform | undefined },
  manifest: ModuleManifest | undefined,
  options: ReadBuildOptions,
): Promise<PreparedBuild> {
  const facts = await reader.inspect(path, namedFiles(manifest), options);
  const arch = manifest?.build.arch ?? [];
  return {
    ...{ path, facts },
    ...buildPlatform(facts, { path, arch, before }),
    findings: manifest ? checkBuilt(manifest, facts) : contentFindings(facts),
  };
}

/** Returns the files of a build that its manifest names. */
export function namedFiles(
  manifest: Pick<ModuleManifest, 'entrypoint' | 'firstRun'> | undefined,
): NamedFiles {
  return {
    entrypoint: manifest?.entrypoint || undefined,
    firstRun: manifest?.firstRun || undefined,
  };
}

/** The folder is uploaded as is: files that are missing in it won't be built later. */
function checkBuilt(manifest: ModuleManifest, facts: BuildFacts): readonly ManifestFinding[] {
  const built = { ...manifest, build: { ...manifest.build, build: undefined } };
  // The user is prompted for the platform, so a mismatch is not an error.
  return checkManifest(built, facts, { platforms: [] });
}

function contentFindings({ problems }: BuildFacts): readonly ManifestFinding[] {
  return problems.map(({ code, path, target = '' }) => ({
    ...{ code, severity: 'error' as const, args: [path, target] },
    ...{ path: [], fixes: [] },
  }));
}
