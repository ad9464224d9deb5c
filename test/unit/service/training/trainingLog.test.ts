import assert from 'node:assert/strict';
import { openSqliteStore } from '../../../../src/service/store/openStore';
import { insertOrganization } from '../../../../src/service/store/organizations';
import type { Store } from '../../../../src/service/store/store';
import { insertTrainingJob } from '../../../../src/service/store/training/trainingJobs';
import { trainingLinesAfter } from '../../../../src/service/store/training/trainingLogs';
import { TrainingLog } from '../../../../src/service/training/trainingLog';
import { silentLogger } from '../../../support/silentLogger';

const MAX_LINES = 10_000;
const LAST_LINES = 100;

describe('TrainingLog', () => {
  let store: Store;
  let log: TrainingLog;
  let time = 0;

  beforeEach(async () => {
    store = await openSqliteStore(undefined);
    await insertOrganization(store, { id: 'o', name: 'Acme', createdAt: 1 });
    await insertTrainingJob(store, {
      id: 'j',
      organization_id: 'o',
      dataset_id: 'd',
      model_name: 'm',
      model_version: '1',
      model_type: 1,
      model_framework: 0,
      labels: '[]',
      arguments: '{}',
      container_version: '',
      script_id: null,
      script_item_id: null,
      script_version: null,
      created_at: 1,
    });
    log = new TrainingLog({
      store,
      now: () => ++time,
      logger: silentLogger,
      jobId: 'j',
      signal: new AbortController().signal,
    });
  });

  afterEach(() => store.destroy());

  const say = (message: string): Promise<void> => log.take({ level: 'info', message });
  const lines = async (): Promise<string[]> => {
    await log.flush();
    return (await trainingLinesAfter(store, 'j', 0, 2 * MAX_LINES)).map(({ message }) => message);
  };

  it('stores lines in order, including those that arrive during writes', async () => {
    const messages = Array.from({ length: 1234 }, (_, index) => `line ${String(index)}`);
    await Promise.all(messages.map(say));
    assert.deepEqual(await lines(), messages);
  });

  it('stores a limited number of lines, then the last ones and the messages of the service', async () => {
    for (let line = 0; line < MAX_LINES + 1000; line += 1) {
      await say(String(line));
    }
    await log.flush();
    await log.logMessage('error', 'the end');
    const storedLines = await lines();
    assert.equal(storedLines.length, MAX_LINES + 1 + LAST_LINES + 1);
    assert.match(
      storedLines[MAX_LINES] ?? '',
      /more lines than can be stored\. Of the remaining lines, only the last/,
    );
    assert.equal(storedLines[MAX_LINES - 1], String(MAX_LINES - 1));
    assert.equal(storedLines[MAX_LINES + 1], String(MAX_LINES + 1000 - LAST_LINES));
    assert.deepEqual(storedLines.slice(-2), [String(MAX_LINES + 999), 'the end']);
  });

  it('truncates long lines, and removes characters that a database cannot store', async () => {
    await say('y'.repeat(20_000));
    await say('a\0b');
    const [long = '', odd] = await lines();
    assert.equal(long.length, 16 * 1024 + ' … (cut)'.length);
    assert.equal(odd, 'a\u{FFFD}b');
  });

  it('drops lines of a deleted job, and continues', async () => {
    await store.deleteFrom('training_jobs').execute();
    await say('into the void');
    assert.deepEqual(await lines(), []);
  });
});
