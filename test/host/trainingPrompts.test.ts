import assert from 'node:assert/strict';
import { isCanceled } from '../../src/core/api/errors';
import { connectionId, datasetId, organizationId } from '../../src/core/model/ids';
import { cancelJob } from '../../src/host/features/training/jobCommands';
import { confirmEmpty } from '../../src/host/features/trainingSubmit/trainingPlan';
import { openMemoryFleet } from '../support/memoryFleet';
import { TestSessions } from '../support/testSessions';
import { TrainingFleet } from '../support/trainingFleet';
import { ScriptedPrompts } from './support/scriptedPrompts';

const failIfCalled = (): never => assert.fail('not expected here');

describe('training prompts in an extension host', () => {
  it('explain what is missing in an empty dataset before they allow submitting it anyway', async () => {
    using prompts = new ScriptedPrompts();
    const confirmation = confirmEmpty(
      { commands: { register: failIfCalled, execute: failIfCalled } },
      { binaryData: { count: () => Promise.resolve({ count: 0, bytes: 0 }) } },
      {
        kind: 'dataset',
        connectionId: connectionId('c'),
        name: 'Cups',
        organizationId: organizationId('o'),
        datasetId: datasetId('d'),
      },
    );
    const dialog = await prompts.next('The dataset "Cups" is not ready for this training job.');
    // The order of the buttons matters, because a dialog focuses its first button.
    assert.deepEqual(dialog.choices(), ['Show Missing Requirements', 'Submit Anyway']);
    dialog.accept('Submit Anyway');
    assert.equal(await confirmation, true);
  });

  it('report that there is no job to cancel in a message that closes by itself', async () => {
    const fleet = await openMemoryFleet();
    const sessions = new TestSessions(fleet);
    try {
      using prompts = new ScriptedPrompts();
      const tools = {
        sessions,
        pickTarget: failIfCalled,
        reveal: failIfCalled,
        commands: { register: failIfCalled, execute: failIfCalled },
      };
      const failure: unknown = await cancelJob(tools, undefined).catch((error: unknown) => error);
      assert.ok(isCanceled(failure));
      assert.deepEqual(
        await prompts.dismissAndGetButtons(
          'No training jobs for "My Fleet" are queued or running.',
        ),
        [],
      );
    } finally {
      sessions.dispose();
      await fleet.close();
    }
  });

  it('cancel the selected job of the active panel without prompting for an organization', async () => {
    const training = await TrainingFleet.open();
    try {
      using prompts = new ScriptedPrompts();
      const { sessions, stores, target } = training;
      await stores.organizations.create('Second');
      const id = await training.submit('waits');
      const selectedJob = await training.until(id, 'inProgress');
      const tools = {
        sessions,
        pickTarget: failIfCalled,
        reveal: failIfCalled,
        commands: { register: failIfCalled, execute: failIfCalled },
      };
      const canceling = cancelJob(tools, undefined, { target, selectedJob });
      (await prompts.next('Cancel the training of')).accept('Stop Training');
      await canceling;
      const job = await training.until(id, 'canceled');
      // The panel still shows its job, which can't be canceled again.
      const panel = { target, selectedJob: job };
      const failure: unknown = await cancelJob(tools, undefined, panel).catch(
        (error: unknown) => error,
      );
      assert.ok(isCanceled(failure));
      await prompts.dismissAndGetButtons('are queued or running.');
    } finally {
      await training.close();
    }
  });
});
