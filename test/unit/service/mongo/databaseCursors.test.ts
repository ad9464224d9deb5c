import assert from 'node:assert/strict';
import { Long, serialize } from 'bson';
import { Code, ConnectError } from '@connectrpc/connect';
import { MongoServerError } from 'mongodb';
import type { ReadingsPipelines } from '../../../../src/service/mongo/readingsDatabase';
import { waitUntil } from '../../../support/waitUntil';
import { DatabaseFixture } from './databaseFixture';

describe('results that MongoDB clients fetch batch by batch', () => {
  let fixture: DatabaseFixture | undefined;

  afterEach(() => fixture?.close());

  const open = async (...options: Parameters<typeof DatabaseFixture.open>) => {
    fixture = await DatabaseFixture.open(...options);
    return fixture;
  };

  it('are stored on disk while no query runs, until the client closes them', async () => {
    const made = await open();
    await made.addOrganization('acme', 5_000);
    const cursor = made.collection('acme').find();
    await cursor.next();
    await waitUntil(() => made.running === 0);
    assert.equal(await made.countSpooledResults(), 1);
    await cursor.close();
    assert.equal(await made.countSpooledResults(), 0);
  });

  it('are closed with the client, and with its session', async () => {
    const made = await open();
    await made.addOrganization('acme', 5_000);
    const [one, other] = [made.client('acme'), made.client('acme')];
    for (const client of [one, other]) {
      await client.db('sensorData').collection('readings').find().next();
    }
    assert.equal(await made.countSpooledResults(), 2);
    await one.close();
    await waitUntil(async () => (await made.countSpooledResults()) === 1);
    await other.close();
    await waitUntil(async () => (await made.countSpooledResults()) === 0);
    assert.equal(made.running, 0);
  });

  it('are limited to the organization', async () => {
    const made = await open();
    await made.addOrganization('acme', 5_000);
    await made.addOrganization('globex', 1);
    const cursor = made.collection('acme').find();
    await cursor.next();
    const foreign = made.client('globex').db('sensorData');
    await assert.rejects(foreign.command({ getMore: cursor.id, collection: 'readings' }), {
      codeName: 'CursorNotFound',
    });
    const killed = await foreign.command({ killCursors: 'readings', cursors: [cursor.id] });
    assert.deepEqual(killed.cursorsKilled, []);
    assert.equal(await made.countSpooledResults(), 1);
  });

  it('are closed when no one has used them for a long time', async () => {
    const made = await open({ cursorLimits: { idleMs: -1 }, sweepMs: 20 });
    await made.addOrganization('acme', 5_000);
    const cursor = made.collection('acme').find();
    await cursor.next();
    await waitUntil(async () => (await made.countSpooledResults()) === 0);
    await assert.rejects(cursor.toArray(), { codeName: 'CursorNotFound' });
  });

  it('are limited in number and in size', async () => {
    const made = await open({ cursorLimits: { perOrganization: 2, resultBytes: 100_000 } });
    await made.addOrganization('acme', 5_000);
    const readings = made.collection('acme');
    const [one, two, three] = [readings.find(), readings.find(), readings.find()];
    await one.next();
    await two.next();
    await assert.rejects(three.next(), { codeName: 'ExceededMemoryLimit' });
    await two.close();
    await assert.rejects(one.toArray(), { codeName: 'ExceededMemoryLimit' });
    assert.equal(await made.countSpooledResults(), 0);
  });

  it('stop where the query fails, with its message', async () => {
    const pipelines: ReadingsPipelines = {
      async *run() {
        for (let n = 0; n < 300; n += 1) {
          yield serialize({ n });
        }
        await Promise.resolve();
        throw new ConnectError('too much at $group', Code.ResourceExhausted);
      },
      getStoredBytes: () => Promise.resolve(0),
    };
    const made = await open({}, pipelines);
    await made.addOrganization('acme', 0);
    const seen: unknown[] = [];
    await assert.rejects(
      async () => {
        for await (const { n } of made.collection('acme').find()) {
          seen.push(n);
        }
      },
      (error) =>
        error instanceof MongoServerError &&
        error.codeName === 'ExceededMemoryLimit' &&
        error.message === 'too much at $group',
    );
    assert.equal(seen.length, 300);
    assert.equal(await made.countSpooledResults(), 0);
  });
});

describe('queries of MongoDB clients', () => {
  let fixture: DatabaseFixture;
  let running = 0;

  /** Yields one document, and then nothing until it is stopped. */
  const endless: ReadingsPipelines = {
    async *run(_organizationId, _query, _options, signal) {
      running += 1;
      try {
        yield serialize({ n: 1 });
        await new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            reject(new ConnectError('aborted', Code.Canceled));
          });
        });
      } finally {
        running -= 1;
      }
    },
    getStoredBytes: () => Promise.resolve(0),
  };

  before(async () => {
    fixture = await DatabaseFixture.open({}, endless);
    await fixture.addOrganization('acme', 0);
  });

  after(() => fixture.close());

  it('stop after the time limit of the client', async () => {
    const request = fixture.collection('acme').find().maxTimeMS(30).toArray();
    await assert.rejects(request, { codeName: 'MaxTimeMSExpired' });
    await waitUntil(() => running === 0);
  });

  it('stop when the client disconnects', async () => {
    const client = fixture.client('acme');
    const request = client.db('sensorData').collection('readings').find().toArray();
    const failing = assert.rejects(request);
    await waitUntil(() => running === 1);
    await client.close();
    await failing;
    await waitUntil(() => running === 0);
  });

  it('stop when the client closes the cursor that waits for more', async () => {
    const database = fixture.client('acme').db('sensorData');
    const { cursor } = await database.command({ find: 'readings', batchSize: 0 });
    const { id } = cursor as { id: number };
    const waiting = assert.rejects(
      database.command({ getMore: Long.fromNumber(id), collection: 'readings' }),
    );
    await database.command({ killCursors: 'readings', cursors: [Long.fromNumber(id)] });
    await waiting;
    await waitUntil(() => running === 0);
    assert.equal(await fixture.countSpooledResults(), 0);
  });

  it('stop when the user is deleted', async () => {
    const request = fixture.collection('acme').find().toArray();
    const failing = assert.rejects(request);
    await waitUntil(() => running === 1);
    await fixture.setPassword('acme', 'another one');
    await fixture.endpoint.endUser('acme');
    await failing;
    await waitUntil(() => running === 0);
  });
});
