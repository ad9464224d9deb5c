import type { BuildFacts, NamedFiles } from '../buildFacts';
import { checkManifest } from '../manifest/checkManifest';
import type { ManifestFinding } from '../manifest/manifestFinding';
import type { ModuleManifest } from '../manifest/moduleManifest';
import type { Platform } from '../platforms';
import { type BuildPlatform, buildPlatform } from './buildPlatform';
import type { BuildReader, ReadBuildOptions } from './buildReader';

/** Build that was inspected before the upload. */
export interface PreparedBuild extends BuildPlatform {
  /** Absolute path on this computer. */
  readonly path: string;
  readonly facts: BuildFacts;
  /** Problems that prevent the build from being uploaded or started on any platform. */
  readonly findings: readonly ManifestFinding[];
}

/**
 * Inspects a build and compares it with its manifest.
 * @param before platform of the last upload from this path
 * @throws file system errors if the build doesn't exist
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

/** Returns the files in a build that its manifest specifies. */
export function namedFiles(
  manifest: Pick<ModuleManifest, 'entrypoint' | 'firstRun'> | undefined,
): NamedFiles {
  return {
    entrypoint: manifest?.entrypoint || undefined,
    firstRun: manifest?.firstRun || undefined,
  };
}

/**
 * Checks a build against its manifest. The folder is uploaded as is, so files that are missing from
 * it won't be built later.
 */
function checkBuilt(manifest: ModuleManifest, facts: BuildFacts): readonly ManifestFinding[] {
  const built = { ...manifest, build: { ...manifest.build, build: undefined } };
  // The user is prompted for the platform later, so a mismatch isn't an error here.
  return checkManifest(built, facts, { platforms: [] });
}

function contentFindings({ problems }: BuildFacts): readonly ManifestFinding[] {
  return problems.map(({ code, path, target = '' }) => ({
    ...{ code, severity: 'error' as const, args: [path, target] },
    ...{ path: [], fixes: [] },
  }));
}
