import { relative, resolve } from 'node:path';
import type { BuildFacts } from '../core/modules/buildFacts';
import { buildOutside } from '../core/modules/manifest/buildOutside';
import { checkManifest } from '../core/modules/manifest/checkManifest';
import type { ManifestFinding } from '../core/modules/manifest/manifestFinding';
import type { ModuleManifest } from '../core/modules/manifest/moduleManifest';
import { platformFits } from '../core/modules/binaryPlatform';
import { isPlatform, type Platform } from '../core/modules/platforms';
import type { BuildReader } from '../core/modules/upload/buildReader';
import { prepareBuild } from '../core/modules/upload/preparedBuild';
import { examineDescriptions } from './examineSources';
import { leavesFolder } from './leavesFolder';
import { placeOutside } from './placeOutside';
import { readModule } from './readModule';

/** Where a module and its build are. */
export interface ModulePlace {
  /** The file that describes the module. */
  readonly manifest: string;
  /** A folder or an archive; absent for what the manifest says. */
  readonly build?: string | undefined;
  /** Whether a person named the build, which may be anywhere then. */
  readonly isBuildNamed: boolean;
  /** What it runs on; absent for what the header of its program says. */
  readonly platform: Platform | undefined;
  /** Whether the descriptions that the manifest links to are published, which is the default. */
  readonly update?: boolean | undefined;
}

/** A module on this machine: what its manifest says, and what its build holds. */
export interface PreparedModule {
  /** The folder of the manifest, absolute. */
  readonly folder: string;
  readonly manifest: ModuleManifest;
  /** Where the build is, absolute. */
  readonly buildPath: string;
  readonly facts: BuildFacts;
  /** Undefined when neither the command line nor the build nor the manifest tells. */
  readonly platform: Platform | undefined;
  readonly findings: readonly ManifestFinding[];
}

/** A manifest that cannot be read far enough to look at its build. */
export interface BrokenManifest {
  readonly manifest: undefined;
  readonly findings: readonly ManifestFinding[];
}

/**
 * Looks through a manifest and its build, without calling anybody.
 * @throws FleetError `notFound` when one of them is not there.
 */
export async function prepareModule(
  { manifest: path, build, isBuildNamed, platform, update = true }: ModulePlace,
  reader: BuildReader,
  signal: AbortSignal,
): Promise<PreparedModule | BrokenManifest> {
  const { manifest, problems, folder } = await readModule(path);
  if (!manifest) return { manifest, findings: problems };
  const buildPath = resolve(
    folder,
    build === undefined ? (manifest.build.path ?? '.') : resolve(build),
  );
  const { findings: ofBuild, ...prepared } = await prepareBuild(
    reader,
    { path: buildPath, before: platform },
    manifest,
    { signal },
  );
  const { facts } = prepared;
  // The editor asks where the header says something else than the name or the manifest: nobody is here to.
  const wanted = platform ?? prepared.expected;
  // Manifests come from others, and links with them. A path that leads out by itself is told as such.
  const isLookedAt = !isBuildNamed && !leavesFolder(relative(folder, buildPath));
  const isOutside = isLookedAt && (await placeOutside(folder, buildPath)) !== undefined;
  const findings = [
    ...problems,
    ...(update ? await examineDescriptions(folder, manifest, signal) : []),
    ...(isOutside ? [buildOutside(manifest.build.path ?? '.')] : []),
    ...ofBuild,
    ...(wanted ? misfits(manifest, facts, wanted) : []),
    ...(platform ? unlisted(manifest, platform) : []),
  ];
  return { folder, manifest, buildPath, facts, platform: platform ?? prepared.platform, findings };
}

/** Whether something keeps the build from being uploaded. */
export function isUnfit(findings: readonly ManifestFinding[]): boolean {
  return findings.some(({ severity }) => severity === 'error');
}

/** A program that runs on something else than the platform that it is to be for. */
function misfits(
  manifest: ModuleManifest,
  { form, entrypoint }: BuildFacts,
  platform: Platform,
): readonly ManifestFinding[] {
  const examined = { form, entrypoint, firstRun: undefined };
  const findings = checkManifest(manifest, examined, { platforms: [platform] });
  return findings.filter(({ code }) => code === 'programPlatform');
}

/** A platform that a person named, and that the manifest lists neither by name nor by `any`. */
function unlisted(
  { build: { arch } }: ModuleManifest,
  platform: Platform,
): readonly ManifestFinding[] {
  const listed = arch.filter(isPlatform);
  if (listed.length === 0 || listed.some((one) => platformFits(platform, one))) return [];
  return [
    {
      ...{ code: 'platformUnlisted', severity: 'error', args: [platform, listed.join(', ')] },
      ...{ path: ['build', 'arch'], fixes: [] },
    },
  ];
}
