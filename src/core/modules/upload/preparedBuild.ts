import type { BuildFacts, NamedFiles } from '../buildFacts';
import { checkManifest } from '../manifest/checkManifest';
import type { ManifestFinding } from '../manifest/manifestFinding';
import type { ModuleManifest } from '../manifest/moduleManifest';
import type { Platform } from '../platforms';
import { type BuildPlatform, buildPlatform } from './buildPlatform';
import type { BuildReader, ReadBuildOptions } from './buildReader';

/** A build that was looked through before it is uploaded. */
export interface PreparedBuild extends BuildPlatform {
  /** On this machine, absolute. */
  readonly path: string;
  readonly facts: BuildFacts;
  /** What keeps it from being uploaded or from starting, for whichever platform it is. */
  readonly findings: readonly ManifestFinding[];
}

/**
 * Looks through a build and holds its manifest against it.
 * @param before for which platform the build of this path was uploaded last
 * @throws what the file system says when it is not there
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

/** The files of a build that its manifest names. */
export function namedFiles(
  manifest: Pick<ModuleManifest, 'entrypoint' | 'firstRun'> | undefined,
): NamedFiles {
  return {
    entrypoint: manifest?.entrypoint || undefined,
    firstRun: manifest?.firstRun || undefined,
  };
}

/** A folder is what is uploaded here: what is missing in it is not still to be built. */
function checkBuilt(manifest: ModuleManifest, facts: BuildFacts): readonly ManifestFinding[] {
  const built = { ...manifest, build: { ...manifest.build, build: undefined } };
  // Which platform it is for is asked about, and is not refused.
  return checkManifest(built, facts, { platforms: [] });
}

function contentFindings({ problems }: BuildFacts): readonly ManifestFinding[] {
  return problems.map(({ code, path, target = '' }) => ({
    ...{ code, severity: 'error' as const, args: [path, target] },
    ...{ path: [], fixes: [] },
  }));
}
