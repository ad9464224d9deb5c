import { globSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { ensureInstalled } from './bootstrap/install.mjs';
import { generate } from './generate';
import { type BenchResult, formatMissed, parseResults } from './support/benchResults';
import { fromRoot, root } from './support/paths';
import { runStage } from './support/stages';

/**
 * Benchmarks that measure what only the full sizes show: memory limits, attacks, and the training
 * of whole models.
 */
const FULL_ONLY = ['hostileCallers', 'largeConfigs', 'exportInEditor', 'training'];

/**
 * Runs all benchmarks in `bench/`, or those named on the command line, one after the other so that
 * they don't affect each other. Each prints one line of JSON per result with `name`, `ratio`,
 * `against`, and `aim`; a table of the results that miss their aim follows. `--quick` measures
 * smaller amounts of data in about five minutes.
 */
async function main(): Promise<void> {
  const { values, positionals: names } = parseArgs({
    options: { quick: { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  const { quick } = values;
  generate();
  const all = globSync('bench/*.ts', { cwd: root }).sort();
  const chosen = all.filter((path) =>
    names.length === 0
      ? !quick || !FULL_ONLY.some((name) => path.includes(name))
      : names.some((name) => path.includes(name)),
  );
  if (chosen.length === 0) throw new Error(`No benchmark is called ${names.join(' or ')}.`);
  // Some benchmarks compare with the public client. VS Code and Chromium are installed on demand.
  ensureInstalled(fromRoot('test', 'publicClient'));
  const env = quick ? { FLEETWRIGHT_BENCH_QUICK: '1' } : {};
  const results: BenchResult[] = [];
  for (const path of chosen) {
    const command = [process.execPath, '--import', 'tsx', path] as const;
    const { exitCode, output } = await runStage({ name: path, command, env }, { echo: true });
    if (exitCode !== 0) process.exitCode = 1;
    results.push(...parseResults(output));
  }
  console.log(formatMissed(results));
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
