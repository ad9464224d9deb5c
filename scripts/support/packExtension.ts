import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { nativePackages } from './nativePackages';
import { fromRoot, root } from './paths';
import { stageExtension } from './stageExtension';
import { getCurrentTarget, type VsixTarget } from './vsixTargets';

/** Maximum size of a VSIX, including the fleet service and the query engine. */
export const vsixLimitBytes = 30_000_000;

/**
 * Maximum size of a VSIX without the query engine. This is our own code: the extension, its pages,
 * the fleet service, and the programs.
 */
export const ownVsixLimitBytes = 3_400_000;

interface RunOptions {
  cwd: string;
  /** Error message if the program fails; the reason is already on stderr. */
  failure: string;
}

function runNode(args: readonly string[], { cwd, failure }: RunOptions): void {
  // Send output to stderr, because stdout is reserved for the caller's own result.
  const { status } = spawnSync(process.execPath, args, { cwd, stdio: ['ignore', 2, 2] });
  if (status !== 0) throw new Error(failure);
}

/**
 * Packs the extension in `folder` as is into the file `vsix`.
 *
 * @throws Error if its manifest or files are rejected
 */
export function packFolder(folder: string, vsix: string, target?: VsixTarget): void {
  runNode(
    [
      fromRoot('node_modules', '@vscode', 'vsce', 'vsce'),
      'package',
      // The bundles already contain the root's packages.
      '--no-dependencies',
      ...(target === undefined || target === 'universal' ? [] : ['--target', target]),
      ...['--out', vsix],
    ],
    { cwd: folder, failure: `Packing ${folder} failed.` },
  );
}

/**
 * Builds the bundles for release.
 *
 * @throws Error if the build fails
 */
export function buildForRelease(): void {
  runNode(['--import', 'tsx', fromRoot('scripts', 'build.ts'), '--production'], {
    cwd: root,
    failure: 'The build for release failed.',
  });
}

/**
 * Packs the bundles of the last build, with the query engine for one platform, into the file
 * `vsix`.
 *
 * @throws Error if the platform's engine can't be downloaded, packing fails, or the file is too
 *   large
 */
export function packTarget(target: VsixTarget, vsix: string): void {
  const packages = target === 'universal' ? [] : nativePackages(target);
  mkdirSync(fromRoot('.cache'), { recursive: true });
  const work = mkdtempSync(fromRoot('.cache', 'package-'));
  try {
    const [folder, packed] = [join(work, 'extension'), join(work, 'packed.vsix')];
    stageExtension({ source: root, folder, target, packages });
    packFolder(folder, packed, target);
    const { size } = statSync(packed);
    const limit = target === 'universal' ? ownVsixLimitBytes : vsixLimitBytes;
    if (size > limit) {
      throw new Error(`The VSIX for ${target} is ${size} bytes, more than ${limit}.`);
    }
    renameSync(packed, vsix);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/**
 * Builds for release and packs the extension for this computer.
 *
 * @returns the absolute path of the `.vsix`
 * @throws Error if the build or the packing fails
 */
export function packExtension(): string {
  const vsix = fromRoot('.cache', 'fleetwright.vsix');
  buildForRelease();
  packTarget(getCurrentTarget(), vsix);
  return vsix;
}
