import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { demoFleetVariable, seedDemoFleet } from './support/demoFleet';
import { root } from './support/paths';
import { runStage, type StageResult } from './support/stages';
import { sum, tally } from './support/tally';
import { lanesVariable, startLane, type VsCodeLane } from './support/vsCodeLane';

/** Number of lanes. While one lane waits for its window, the other one uses the processor. */
const LANES = 2;

/**
 * One journey test for each kind of UI: tree, prompts, documents, webviews, drag and drop, and
 * reload.
 */
const SMOKE_JOURNEYS = ['manageFleet', 'browseData', 'editConfig', 'moveLocation'];

/**
 * Journeys to start first, so that no lane ends with a long journey while the other lane is idle.
 */
const SLOWEST_JOURNEYS = ['training', 'modules', 'manageFleet'];

/** Journey that builds the packages that the other journeys use, so it runs first. */
const BUILDING_JOURNEY = 'test/e2e/start.test.ts';

function mocha(
  name: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<StageResult> {
  return runStage({ name, command: ['mocha', '--timeout=120000', ...args], env }, { echo: true });
}

/** Runs journeys in lanes, each journey with a fresh profile and a copy of the same demo fleet. */
async function runInLanes(files: readonly string[]): Promise<StageResult> {
  await using resources = new AsyncDisposableStack();
  const demoFleet = mkdtempSync(join(tmpdir(), 'fleetwright-demo-'));
  resources.defer(() => {
    rmSync(demoFleet, { recursive: true, force: true, maxRetries: 10 });
  });
  await seedDemoFleet(demoFleet);
  const lanes: VsCodeLane[] = [];
  while (lanes.length < Math.min(LANES, files.length)) {
    const lane = await startLane();
    resources.defer(() => lane.stop());
    lanes.push(lane);
  }
  return await mocha('journeys', ['--parallel', `--jobs=${LANES}`, ...files], {
    [demoFleetVariable]: demoFleet,
    [lanesVariable]: JSON.stringify(lanes),
  });
}

function listJourneys(): string[] {
  const isLong = (file: string): boolean => SLOWEST_JOURNEYS.includes(basename(file, '.test.ts'));
  const files = globSync('test/e2e/*.test.ts', { cwd: root }).toSorted();
  return [...files.filter(isLong), ...files.filter((file) => !isLong(file))];
}

function readFiles(args: string[]): string[] {
  const { values, positionals } = parseArgs({
    args,
    options: { smoke: { type: 'boolean' } },
    allowPositionals: true,
  });
  if (positionals.length > 0) return positionals;
  if (values.smoke) return SMOKE_JOURNEYS.map((name) => `test/e2e/${name}.test.ts`);
  return listJourneys();
}

/**
 * Runs the named journeys, the journeys of `--smoke`, or all journeys. The last line of output is
 * `N passed, N failed`.
 */
async function main(args: string[]): Promise<void> {
  const files = readFiles(args);
  const results: StageResult[] = [];
  if (files.includes(BUILDING_JOURNEY)) results.push(await mocha('start', [BUILDING_JOURNEY]));
  const others = files.filter((file) => file !== BUILDING_JOURNEY);
  if (others.length > 0) results.push(await runInLanes(others));
  const { passed, failed } = sum(results.map(tally));
  process.exitCode = failed === 0 ? 0 : 1;
  console.log(`\n${passed} passed, ${failed} failed`);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
