import { mkdirSync, writeFileSync } from 'node:fs';
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { ensureInstalled } from './bootstrap/install.mjs';
import { generate } from './generate';
import { listChangedFiles, readImportGraph, selectStages } from './support/changedTests';
import { ensureChromium } from './support/chromium';
import { ensureCodeServer } from './support/codeServer';
import { describeGrowth, toDurations, readDurations, writeDurations } from './support/durations';
import { fromRoot } from './support/paths';
import { runStage, stageLine, type StageResult } from './support/stages';
import { extractFailures, sum, tally } from './support/tally';
import { type TestStage, testStages } from './support/testStages';

/**
 * Number of stages to run concurrently. The stages of `npm test` mostly wait for their processes.
 */
const LANES = { frequent: 3, thorough: 2 };
/** Seed that makes `npm test` reproducible. */
const FIXED_SEED = 20260101;
const MAX_SEED = 1_000_000_000;
const logFolder = fromRoot('.cache', 'test');

const usage = `npm test -- [--changed [BASE]]
npm run test:all -- [--record]`;

interface Options {
  /** True to run all stages, with random seeds. */
  isThorough: boolean;
  /** Commit to compare with; if set, only tests that the differences affect are run. */
  base: string | undefined;
  /** True to record the durations of this run as the baseline. */
  records: boolean;
}

function parseOptions(args: string[]): Options {
  const { values, positionals } = parseArgs({
    args,
    options: {
      all: { type: 'boolean', default: false },
      changed: { type: 'boolean', default: false },
      record: { type: 'boolean', default: false },
    },
    allowPositionals: true,
  });
  const { all, changed, record } = values;
  const [base = 'HEAD', ...others] = positionals;
  const isOdd = others.length > 0 || (positionals.length > 0 && !changed) || (record && !all);
  if (isOdd) throw new Error(`Usage:\n${usage}`);
  return { isThorough: all, base: changed ? base : undefined, records: record };
}

/** Installs the dependencies that stages need in addition to the root's packages. */
function prepare(): void {
  generate();
  ensureInstalled(fromRoot('test', 'publicClient'));
  ensureCodeServer();
  ensureChromium();
}

/** Sets environment variables for the stages' processes, unless the caller has set them already. */
function setEnvironment({ isThorough }: Options): void {
  const { env } = process;
  env.FLEETWRIGHT_TEST_SEED ??= String(isThorough ? randomInt(MAX_SEED) : FIXED_SEED);
  console.log(`FLEETWRIGHT_TEST_SEED=${env.FLEETWRIGHT_TEST_SEED}`);
  if (!isThorough) return;
  env.FLEETWRIGHT_TEST_PIPELINES ??= '200';
  env.FLEETWRIGHT_TEST_KILLS ??= '12';
}

function chooseStages({ isThorough, base }: Options): readonly TestStage[] {
  const stages = testStages(isThorough);
  return base === undefined
    ? stages
    : selectStages(stages, listChangedFiles(base), readImportGraph());
}

/**
 * Runs stages in lanes, each stage after its prerequisite, and prints the outcome of each stage.
 */
async function runStages(stages: readonly TestStage[], lanes: number): Promise<StageResult[]> {
  mkdirSync(logFolder, { recursive: true });
  const results: StageResult[] = [];
  const waiting = [...stages];
  const finished = new Map(
    stages.map(({ name }) => [name, Promise.withResolvers<undefined>()] as const),
  );
  const lane = async (): Promise<void> => {
    for (let stage = waiting.shift(); stage !== undefined; stage = waiting.shift()) {
      if (stage.after !== undefined) await finished.get(stage.after)?.promise;
      const command = [...stage.command, ...(stage.files ?? [])] as const;
      const result = await runStage({ ...stage, command }, { echo: false, countsCpu: true });
      writeFileSync(`${logFolder}/${stage.name.replaceAll(' ', '-')}.log`, result.output);
      results.push(result);
      finished.get(stage.name)?.resolve(undefined);
      console.log(stageLine(result));
      if (result.exitCode !== 0) console.log(extractFailures(result.output));
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return results;
}

/** Compares the durations of a complete run with the recorded durations, or records them. */
function checkDurations(results: readonly StageResult[], { records }: Options): readonly string[] {
  // A failed stage might have finished early. If it is the unit tests, all relative durations are
  // wrong.
  if (results.some(({ exitCode }) => exitCode !== 0)) return [];
  const measured = toDurations(results);
  if (!records) return describeGrowth(readDurations(), measured);
  writeDurations(measured);
  return [];
}

/**
 * Runs the tests: the frequent stages for `npm test`, all stages for `npm run test:all`. A failed
 * stage doesn't stop the other stages. The last line of output is `N passed, N failed`, summed over
 * all stages.
 */
async function main(args: string[]): Promise<void> {
  const options = parseOptions(args);
  const failures: string[] = [];
  try {
    prepare();
  } catch (error) {
    // Stages with missing dependencies fail individually; the other stages still run.
    failures.push(error instanceof Error ? error.message : String(error));
  }
  setEnvironment(options);
  const stages = chooseStages(options);
  const started = performance.now();
  const lanes = options.isThorough ? LANES.thorough : LANES.frequent;
  const results = await runStages(stages, lanes);
  if (options.isThorough && options.base === undefined) {
    failures.push(...checkDurations(results, options));
  }
  for (const failure of failures) console.log(failure);
  console.log(`${((performance.now() - started) / 1000).toFixed(0)} s; output in ${logFolder}`);
  const { passed, failed } = sum([...results.map(tally), { passed: 0, failed: failures.length }]);
  process.exitCode = failed === 0 ? 0 : 1;
  console.log(`${passed} passed, ${failed} failed`);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  console.log('0 passed, 1 failed');
  process.exitCode = 1;
});
