import { createVSIX } from '@vscode/vsce';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { fromRoot, root } from './support/paths';

function buildForRelease(): void {
  const build = spawnSync(
    process.execPath,
    ['--import', 'tsx', fromRoot('scripts', 'build.ts'), '--production'],
    { cwd: root, stdio: 'inherit' },
  );
  if (build.status !== 0) throw new Error('The build failed.');
}

/**
 * Builds for release and packs `.cache/fleetwright.vsix`. Packages are inside the bundles already:
 * `node_modules` stays out.
 */
async function main(): Promise<void> {
  buildForRelease();
  const vsix = fromRoot('.cache', 'fleetwright.vsix');
  mkdirSync(fromRoot('.cache'), { recursive: true });
  await createVSIX({ cwd: root, packagePath: vsix, dependencies: false });
  const { version } = JSON.parse(readFileSync(fromRoot('package.json'), 'utf8')) as {
    version: string;
  };
  const megabytes = (statSync(vsix).size / 1024 / 1024).toFixed(2);
  console.log(`${vsix}: version ${version}, ${megabytes} MiB`);
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
