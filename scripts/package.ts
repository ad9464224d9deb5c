import { statSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { buildForRelease, packExtension, packTarget } from './support/packExtension';
import { fromRoot } from './support/paths';
import { vsixTargets, type VsixTarget } from './support/vsixTargets';

const usage = `npm run package -- [--target all|${vsixTargets.join('|')}]`;

function report(vsix: string): void {
  console.log(`${vsix}: ${(statSync(vsix).size / 1e6).toFixed(2)} MB`);
}

function parseTargets(name: string): readonly VsixTarget[] {
  if (name === 'all') return vsixTargets;
  const target = vsixTargets.find((known) => known === name);
  if (target === undefined) throw new Error(`Unknown target ${name}. Usage: ${usage}`);
  return [target];
}

/**
 * Packs the extension: by default, for this computer as `.cache/fleetwright.vsix`, which the tests
 * install; with `--target`, for the given platforms as `.cache/fleetwright-<target>.vsix`.
 */
function main(args: string[]): void {
  const { values } = parseArgs({ args, options: { target: { type: 'string' } } });
  if (values.target === undefined) {
    report(packExtension());
    return;
  }
  const targets = parseTargets(values.target);
  buildForRelease();
  for (const target of targets) {
    const vsix = fromRoot('.cache', `fleetwright-${target}.vsix`);
    packTarget(target, vsix);
    report(vsix);
  }
}

try {
  main(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
