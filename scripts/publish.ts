import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { fromRoot, root } from './support/paths';

interface Registry {
  name: string;
  /** Environment variable with the access token, which the publishing program itself reads. */
  tokenVariable: string;
  program: string;
}

const registries: Record<string, Registry> = {
  marketplace: {
    name: 'the Visual Studio Marketplace',
    tokenVariable: 'VSCE_PAT',
    program: fromRoot('node_modules', '@vscode', 'vsce', 'vsce'),
  },
  'open-vsx': {
    name: 'Open VSX',
    tokenVariable: 'OVSX_PAT',
    program: fromRoot('node_modules', 'ovsx', 'bin', 'ovsx'),
  },
};

/**
 * Publishes every VSIX in `.cache/release` to one registry. Skips files that the registry already
 * has, so that an interrupted run can be repeated.
 */
function main([id = '']: readonly string[]): void {
  const registry = registries[id];
  if (registry === undefined) {
    throw new Error(
      `Name the registry: npm run publish:vsix -- ${Object.keys(registries).join('|')}`,
    );
  }
  const { name, tokenVariable, program } = registry;
  if (!process.env[tokenVariable]) throw new Error(`Set ${tokenVariable} to a token for ${name}.`);
  const files = globSync('.cache/release/*.vsix', { cwd: root }).sort();
  if (files.length === 0) {
    throw new Error('There are no files to publish. Run npm run release first.');
  }
  const { status } = spawnSync(
    process.execPath,
    [program, 'publish', '--skip-duplicate', '--packagePath', ...files],
    { cwd: root, stdio: 'inherit' },
  );
  if (status !== 0) throw new Error(`Publishing to ${name} failed.`);
}

try {
  main(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
