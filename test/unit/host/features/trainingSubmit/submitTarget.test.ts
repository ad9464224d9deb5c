import '../../../../support/plainVscode';
import assert from 'node:assert/strict';
import { FleetError } from '../../../../../src/core/api/errors';
import { organizationId } from '../../../../../src/core/model/ids';
import { requireScripts } from '../../../../../src/host/features/trainingSubmit/submitTarget';
import { type MemoryFleet, openMemoryFleet } from '../../../../support/memoryFleet';
import { StagedTrainer } from '../../../../support/stagedTrainer';
import { TestSessions } from '../../../../support/testSessions';

describe('requiring a service that runs training scripts', () => {
  let fleet: MemoryFleet;
  let sessions: TestSessions;
  let executed: string[];
  let runs: boolean;
  let saysYes: boolean;

  beforeEach(async () => {
    fleet = await openMemoryFleet();
    sessions = new TestSessions(fleet);
    [executed, runs, saysYes] = [[], false, true];
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
            executed.push(id);
            runs = saysYes;
            return Promise.resolve();
          },
        },
      },
      {
        connectionId: sessions.connectionToFleet.id,
        organizationId: organizationId(fleet.organizationId),
      },
      () => 'It runs none.',
    );

  it('rejects immediately if another service reports that it runs none', async () => {
    await assert.rejects(
      require(),
      (error) => error instanceof FleetError && error.kind === 'conflict',
    );
    assert.deepEqual(executed, []);
    assert.equal(fleet.calls.get('SubmitCustomTrainingJob'), undefined);
  });

  it('continues if another service runs them', async () => {
    const trainer = new StagedTrainer();
    sessions.dispose();
    await fleet.close();
    fleet = await openMemoryFleet(undefined, { managed: trainer, custom: trainer });
    sessions = new TestSessions(fleet);
    await require();
    assert.deepEqual(executed, []);
  });

  it('prompts for a local fleet that runs none, even if the settings allow them, and continues', async () => {
    sessions.makeLocal();
    await require();
    assert.deepEqual(executed, ['fleetwright.localFleet.allowScripts']);
    await require();
    assert.equal(executed.length, 1);
  });

  it('cancels silently if the user declines', async () => {
    sessions.makeLocal();
    saysYes = false;
    await assert.rejects(
      require(),
      (error) => error instanceof FleetError && error.kind === 'canceled',
    );
  });
});
