import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { fromRoot, root } from './paths';

interface RunOptions {
  cwd: string;
  /** What to say when it fails; the reason is already on stderr. */
  failure: string;
}

function runNode(args: readonly string[], { cwd, failure }: RunOptions): void {
  // On stderr: the caller's stdout is for its own result.
  const { status } = spawnSync(process.execPath, args, { cwd, stdio: ['ignore', 2, 2] });
  if (status !== 0) throw new Error(failure);
}

/**
 * Packs the extension in `folder` as it is into the file `vsix`.
 *
 * @throws Error when its manifest or files are refused
 */
export function packFolder(folder: string, vsix: string): void {
  runNode(
    [
      fromRoot('node_modules', '@vscode', 'vsce', 'vsce'),
      'package',
      '--no-dependencies',
      '--no-rewrite-relative-links',
      '--allow-missing-repository',
      ...['--out', vsix],
    ],
    { cwd: folder, failure: `Packing ${folder} failed.` },
  );
}

/**
 * Builds for release and packs the extension. Packages are inside the bundles already:
 * `node_modules` stays out.
 *
 * @returns the absolute path of the `.vsix`
 * @throws Error when the build or the packing fails
 */
export function packExtension(): string {
  const vsix = fromRoot('.cache', 'fleetwright.vsix');
  mkdirSync(fromRoot('.cache'), { recursive: true });
  runNode(['--import', 'tsx', fromRoot('scripts', 'build.ts'), '--production'], {
    cwd: root,
    failure: 'The build for release failed.',
  });
  packFolder(root, vsix);
  return vsix;
}
