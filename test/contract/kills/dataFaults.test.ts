import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { RunningService } from '../../support/runningService';
import { seededRandom } from '../../support/seededRandom';
import { ServiceProgram } from '../../support/serviceProgram';
import { CaptureLedger } from './faults/captureLedger';
import { mixCalls } from './faults/captureMix';
import { checkCaptures } from './faults/checkCaptures';
import { checkFiles } from './faults/checkFiles';
import { newPart } from './faults/newPart';

/** Number of kills. More kills find more bugs; use 50 before a release. */
const KILLS = Number(process.env.FLEETWRIGHT_TEST_KILLS ?? 4);
/** Long enough that a kill can occur during uploads, sealing, merging, and deletions. */
const MAX_DELAY_MS = 1500;
const ROUND_MS = 60_000;

/**
 * Seed of the random numbers. To repeat the timing of a failed run, set it to the number that the
 * run logged.
 */
const SEED = Number(process.env.FLEETWRIGHT_TEST_SEED ?? Date.now() % 1_000_000);

describe('captured data across kill -9 during uploads, deletions, and sealing', function () {
  this.timeout(ROUND_MS * (KILLS + 1));
  let program: ServiceProgram;

  before(async () => {
    program = await ServiceProgram.build();
  });

  after(async () => {
    await program[Symbol.asyncDispose]();
  });

  it(`is neither lost nor duplicated nor torn over ${KILLS} kills, seed ${SEED}`, async () => {
    const random = seededRandom(SEED);
    const directory = program.path();
    const start = async () => RunningService.of(program.serve('--data', directory));
    const ledger = new CaptureLedger();
    let service = await start();
    const partId = await newPart(service);

    for (let kill = 0; kill < KILLS; kill += 1) {
      const mixing = mixCalls(service, partId, ledger, random);
      await sleep(random() * MAX_DELAY_MS);
      await service.kill();
      await mixing;

      service = await start();
      checkFiles(directory);
      await checkCaptures(service, partId, ledger);
    }

    const { readings, items } = ledger.acknowledged;
    assert.ok(readings > 0 && items > 0, 'nothing was acknowledged');
    await service.stop();
    checkFiles(directory);
  });
});
