import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { demoFleetVariable, seedDemoFleet } from './support/demoFleet';
import { root } from './support/paths';
import { runStage, type StageResult } from './support/stages';
import { sum, tally } from './support/tally';
import { lanesVariable, startLane, type VsCodeLane } from './support/vsCodeLane';

/** One waits for its window while the other uses a processor. */
const LANES = 2;

/** Builds the packages that the other journeys run, so it runs before them. */
const buildingJourney = 'test/e2e/start.test.ts';

function mocha(
  name: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<StageResult> {
  return runStage({ name, command: ['mocha', '--timeout=120000', ...args], env }, { echo: true });
}

/** Runs journeys in lanes, each with a fresh profile and a copy of one demo fleet. */
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

/** Runs the given journeys, or all of them. The last line is `N passed, N failed`. */
async function main(given: readonly string[]): Promise<void> {
  const files = given.length > 0 ? given : globSync('test/e2e/*.test.ts', { cwd: root }).toSorted();
  const results: StageResult[] = [];
  if (files.includes(buildingJourney)) results.push(await mocha('start', [buildingJourney]));
  const others = files.filter((file) => file !== buildingJourney);
  if (others.length > 0) results.push(await runInLanes(others));
  const { passed, failed } = sum(results.map(tally));
  process.exitCode = failed === 0 ? 0 : 1;
  console.log(`\n${passed} passed, ${failed} failed`);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
