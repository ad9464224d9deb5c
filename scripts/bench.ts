import { globSync } from 'node:fs';
import { ensureInstalled } from './bootstrap/install.mjs';
import { generate } from './generate';
import { fromRoot, root } from './support/paths';
import { runStage } from './support/stages';

/**
 * Runs all benchmarks in `bench/`, or those named on the command line, one after the other so that
 * they don't affect each other. Each prints one line of JSON with at least `name`, `ratio`, and
 * `against`.
 */
async function main(names: readonly string[]): Promise<void> {
  generate();
  const all = globSync('bench/*.ts', { cwd: root }).sort();
  const chosen =
    names.length === 0 ? all : all.filter((path) => names.some((n) => path.includes(n)));
  if (chosen.length === 0) throw new Error(`No benchmark is called ${names.join(' or ')}.`);
  // Some benchmarks compare with the public client. VS Code and Chromium are installed on demand.
  ensureInstalled(fromRoot('test', 'publicClient'));
  for (const path of chosen) {
    const stage = { name: path, command: [process.execPath, '--import', 'tsx', path] as const };
    const { exitCode } = await runStage(stage, { echo: true });
    if (exitCode !== 0) process.exitCode = 1;
  }
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
