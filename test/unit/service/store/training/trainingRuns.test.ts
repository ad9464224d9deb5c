import assert from 'node:assert/strict';
import { openSqliteStore } from '../../../../../src/service/store/openStore';
import { insertOrganization } from '../../../../../src/service/store/organizations';
import type { Store } from '../../../../../src/service/store/store';
import {
  cancelTrainingJob,
  deleteEndedTrainingJob,
  findTrainingJob,
  insertTrainingJob,
} from '../../../../../src/service/store/training/trainingJobs';
import {
  endTrainingJob,
  requeueTrainingJob,
  takeTrainingJob,
  requeueAbandonedJobs,
} from '../../../../../src/service/store/training/trainingRuns';
import { TRAINING_STATUS } from '../../../../../src/service/store/training/trainingSchema';

const { pending, inProgress, completed, failed, canceled, canceling } = TRAINING_STATUS;
const FAILURE = { error_code: 10, error_message: 'It ended each time.' };

describe('training runs', () => {
  let store: Store;
  let at = 0;

  beforeEach(async () => {
    store = await openSqliteStore(undefined);
    await insertOrganization(store, { id: 'o', name: 'Acme', createdAt: 1 });
  });

  afterEach(() => store.destroy());

  const submit = (id: string, version = id): Promise<boolean> =>
    insertTrainingJob(store, {
      id,
      organization_id: 'o',
      dataset_id: 'd',
      model_name: 'm',
      model_version: version,
      model_type: 1,
      model_framework: 0,
      labels: '[]',
      arguments: '{}',
      container_version: '',
      script_id: null,
      script_item_id: null,
      script_version: null,
      created_at: ++at,
    });
  const take = (runner: string) => takeTrainingJob(store, runner, ++at);
  const end = (
    id: string,
    runner: string,
    status: typeof completed | typeof canceled,
    attempts = 1,
  ) => endTrainingJob(store, { id, runner, attempts }, { status }, ++at);
  const readStatus = async (id: string) => (await findTrainingJob(store, id))?.status;
  const takeUp = (runner: string, running: readonly string[] = []) =>
    requeueAbandonedJobs(store, {
      runner,
      running,
      silentSeconds: 1,
      maxAttempts: 2,
      failure: FAILURE,
      at: ++at,
    });

  it('start once each in the order in which jobs were submitted', async () => {
    await submit('b');
    await submit('a');
    assert.deepEqual(
      [(await take('r'))?.id, (await take('r'))?.id, await take('r')],
      ['b', 'a', undefined],
    );
  });

  it('are abandoned if their own process is not running them', async () => {
    for (const id of ['a', 'b', 'c']) await submit(id);
    for (let count = 0; count < 3; count += 1) await take('r');
    await cancelTrainingJob(store, 'c', ++at);
    assert.deepEqual(await takeUp('r', ['a', 'c']), { again: ['b'], failed: [], canceled: [] });
    assert.deepEqual(await takeUp('r', ['a']), { again: [], failed: [], canceled: ['c'] });
    assert.deepEqual(await takeUp('r'), { again: ['a'], failed: [], canceled: [] });
  });

  it('do not end a later run of the same process', async () => {
    await submit('a');
    await take('r');
    await takeUp('other');
    assert.equal((await take('r'))?.attempts, 2);
    assert.equal(await end('a', 'r', completed), false);
    assert.equal(await end('a', 'r', completed, 2), true);
  });

  it('are ended once by their own process, and only as canceled after a cancellation', async () => {
    await submit('a');
    await take('r');
    assert.equal(await end('a', 'other', completed), false);
    assert.equal(await end('a', 'r', canceled), false, 'no one requested it');
    assert.equal(await cancelTrainingJob(store, 'a', ++at), 'canceling');
    assert.equal(await cancelTrainingJob(store, 'a', ++at), 'asked');
    assert.equal(await end('a', 'r', completed), false);
    assert.equal(await deleteEndedTrainingJob(store, 'a'), false);
    assert.equal(await end('a', 'r', canceled), true);
    assert.equal(await end('a', 'r', canceled), false);
    assert.equal(await cancelTrainingJob(store, 'a', ++at), 'asked');
    assert.equal(await deleteEndedTrainingJob(store, 'a'), true);
    assert.equal(await cancelTrainingJob(store, 'a', ++at), 'absent');
  });

  it('are reclaimed from services without heartbeats, except for own and ended ones', async () => {
    for (const id of ['gone', 'stopping', 'own', 'done']) await submit(id);
    await take('old');
    await take('old');
    await take('new');
    await take('old');
    await end('done', 'old', completed);
    await cancelTrainingJob(store, 'stopping', ++at);
    assert.equal(await readStatus('stopping'), canceling);
    assert.deepEqual(await takeUp('new', ['own']), {
      again: ['gone'],
      failed: [],
      canceled: ['stopping'],
    });
    assert.deepEqual(await Promise.all(['gone', 'stopping', 'own', 'done'].map(readStatus)), [
      pending,
      canceled,
      inProgress,
      completed,
    ]);
    assert.equal((await findTrainingJob(store, 'gone'))?.started_at, null);
  });

  it('fail after several lost services, not counting orderly stops', async () => {
    await submit('a');
    for (const runner of ['one', 'two', 'three']) {
      await take(runner);
      await requeueTrainingJob(store, { id: 'a', runner, attempts: 1 }, ++at);
    }
    await take('four');
    await takeUp('five');
    await take('five');
    assert.deepEqual((await takeUp('six')).failed, ['a']);
    const job = await findTrainingJob(store, 'a');
    assert.deepEqual(
      [job?.status, job?.error_code, job?.error_message],
      [failed, FAILURE.error_code, FAILURE.error_message],
    );
  });

  it('release their version when they fail', async () => {
    assert.equal(await submit('a', '1'), true);
    assert.equal(await submit('b', '1'), false);
    await cancelTrainingJob(store, 'a', ++at);
    assert.equal(await submit('b', '1'), true);
    assert.equal(await submit('c', '1'), false);
  });
});
