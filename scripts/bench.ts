import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir, totalmem, type } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureInstalled } from './bootstrap/install.mjs';
import { generate } from './generate';
import {
  type BenchResult,
  formatDurations,
  formatMissed,
  parseResults,
} from './support/benchResults';
import { fromRoot, root } from './support/paths';
import {
  type BenchRun,
  mergeResults,
  type RepeatedResult,
  renderPerformancePage,
} from './support/performancePage';
import { renderScalePlot } from './support/scalePlot';
import { runStage } from './support/stages';

/**
 * Benchmarks that measure what only the full sizes show: memory limits, attacks, the training of
 * whole models, and a log panel that displays lines for minutes. The size of the VSIX is also
 * checked by a unit test.
 */
const FULL_ONLY = [
  'hostileCallers',
  'largeConfigs',
  'exportInEditor',
  'logPanel',
  'panelLeaks',
  'training',
  'vsixSize',
];

/** Benchmarks that run only if they are named: they take hours, or need two free cores and Ceph. */
const NAMED_ONLY = ['queryNodes', 'restInEditor', 'soak'];

/**
 * Runs all benchmarks in `bench/`, or those named on the command line, one after the other so that
 * they don't affect each other. Each prints one line of JSON per result with `name`, `ratio`,
 * `against`, and `aim`. At the end, prints tables of the durations and of the results that miss their
 * aim. `--quick` measures smaller amounts of data in under five minutes on an idle computer, except in
 * benchmarks that are named with `--full NAME`. `--repeat N` runs each benchmark N times and compares
 * the median. `--report` writes the results to `docs/performance.md`.
 */
async function main(): Promise<void> {
  const { values, positionals: names } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      full: { type: 'string', multiple: true, default: [] },
      repeat: { type: 'string', default: '1' },
      report: { type: 'boolean', default: false },
    },
    allowPositionals: true,
  });
  const { quick, full } = values;
  const repeat = Number(values.repeat);
  if (!Number.isInteger(repeat) || repeat < 1) throw new Error('--repeat needs a number from 1.');
  generate();
  const existing = globSync('bench/*.ts', { cwd: root }).sort();
  const all = existing.filter((path) => !NAMED_ONLY.includes(basename(path, '.ts')));
  const chosen = (names.length === 0 ? all : existing).filter((path) =>
    names.length === 0
      ? !quick || !FULL_ONLY.some((name) => path.includes(name))
      : names.some((name) => path.includes(name)),
  );
  if (chosen.length === 0) throw new Error(`No benchmark is called ${names.join(' or ')}.`);
  // Some benchmarks compare with the public client. VS Code and Chromium are installed on demand.
  ensureInstalled(fromRoot('test', 'publicClient'));
  const bundles = mkdtempSync(join(tmpdir(), 'fleetwright-bench-'));
  const results: BenchResult[] = [];
  const durations = new Map<string, number>();
  const failed = new Set<string>();
  for (const path of chosen.flatMap((benchmark) => Array<string>(repeat).fill(benchmark))) {
    const command = [process.execPath, '--import', 'tsx', path] as const;
    const name = basename(path, '.ts');
    const env = {
      FLEETWRIGHT_BENCH_BUNDLES: bundles,
      ...(quick && !full.includes(name) && { FLEETWRIGHT_BENCH_QUICK: '1' }),
    };
    const { exitCode, output, milliseconds } = await runStage(
      { name, command, env },
      { echo: true },
    );
    durations.set(name, (durations.get(name) ?? 0) + milliseconds);
    const printed = parseResults(output);
    if (exitCode !== 0 || printed.length === 0) failed.add(name);
    results.push(...printed);
  }
  rmSync(bundles, { recursive: true });
  const merged = mergeResults(results);
  if (values.report) {
    const benchmarks = { run: chosen.length, all: all.length };
    writeReport(merged, { isQuick: quick, full, repeat, benchmarks, failed: [...failed] });
  }
  console.log(formatDurations(durations));
  console.log(formatMissed(merged));
  if (failed.size > 0) {
    console.error(`Failed or without a result: ${[...failed].join(', ')}.`);
    process.exitCode = 1;
  }
}

/** Writes `docs/performance.md`, with the section in `bench/limits.md`, and the images of its curves. */
function writeReport(
  results: readonly RepeatedResult[],
  run: Pick<BenchRun, 'isQuick' | 'full' | 'repeat' | 'failed' | 'benchmarks'>,
): void {
  const page = renderPerformancePage(results, {
    ...run,
    date: new Date().toISOString().slice(0, 10),
    nodeVersion: process.versions.node,
    platform: `${type()} ${process.arch}`,
    cores: availableParallelism(),
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    limits: readFileSync(fromRoot('bench', 'limits.md'), 'utf8'),
  });
  writeFileSync(fromRoot('docs', 'performance.md'), page);
  const curves = results.flatMap(({ curve }) => (curve ? [curve] : []));
  if (curves.length === 0) return;
  const plots = [
    ['time', { title: 'Time of operations', figure: 'milliseconds', unit: 'ms' }],
    ['memory', { title: 'Peak memory of the service', figure: 'mebibytes', unit: 'MiB' }],
  ] as const;
  for (const [name, options] of plots) {
    const file = fromRoot('docs', 'images', `scale-${name}.svg`);
    writeFileSync(file, renderScalePlot(curves, options));
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
