import assert from 'node:assert/strict';
import { FleetError } from '../../../../../src/core/api/errors';
import { requireScripts } from '../../../../../src/host/features/trainingSubmit/requireScripts';
import { type MemoryFleet, openMemoryFleet } from '../../../../support/memoryFleet';
import { TestSessions } from '../../../../support/testSessions';

describe('requiring that training scripts run', () => {
  let fleet: MemoryFleet;
  let sessions: TestSessions;
  let asked: string[];
  let runs: boolean;
  let saysYes: boolean;

  beforeEach(async () => {
    fleet = await openMemoryFleet();
    sessions = new TestSessions(fleet);
    [asked, runs, saysYes] = [[], false, true];
  });

  afterEach(async () => {
    sessions.dispose();
    await fleet.close();
  });

  const require = (): Promise<void> =>
    requireScripts(
      {
        sessions,
        localFleet: { runsScripts: () => Promise.resolve(runs) },
        commands: {
          register: () => ({ dispose: () => undefined }),
          execute: (...[id]) => {
            asked.push(id);
            runs = saysYes;
            return Promise.resolve();
          },
        },
      },
      sessions.connectionToFleet.id,
    );

  it('leaves it to other services to say so', async () => {
    await require();
    assert.deepEqual(asked, []);
  });

  it('asks for a local fleet that runs none, also where the settings allow them, and goes on', async () => {
    sessions.makeLocal();
    await require();
    assert.deepEqual(asked, ['fleetwright.localFleet.allowScripts']);
    await require();
    assert.equal(asked.length, 1);
  });

  it('ends silently for a no', async () => {
    sessions.makeLocal();
    saysYes = false;
    await assert.rejects(
      require(),
      (error) => error instanceof FleetError && error.kind === 'canceled',
    );
  });
});
