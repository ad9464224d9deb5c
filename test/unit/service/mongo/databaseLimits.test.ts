import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type Document, Long } from 'bson';
import { MongoServerSelectionError } from 'mongodb';
import { SignInGuard } from '../../../../src/service/auth/signInGuard';
import { silentLogger } from '../../../support/silentLogger';
import { waitForValue, waitUntil } from '../../../support/waitUntil';
import { DatabaseFixture } from './databaseFixture';
import { sendRequest, command, legacyCommand, signIn, WireClients } from './wireClient';

const KIBIBYTE = 1024;
const MEBIBYTE = 1024 * KIBIBYTE;
const OVERLOADED = 'IngressRequestRateLimitExceeded';

describe('limits of the database endpoint', () => {
  let fixture: DatabaseFixture | undefined;
  let clients: WireClients | undefined;

  afterEach(async () => {
    clients?.[Symbol.dispose]();
    await fixture?.close();
  });

  const open = async (...options: Parameters<typeof DatabaseFixture.open>) => {
    fixture = await DatabaseFixture.open(...options);
    await fixture.addOrganization('acme', 3);
    clients = new WireClients(fixture.port);
    return { fixture, clients };
  };

  const find = { find: 'readings', $db: 'sensorData' };
  /** Returns a request of a given size in bytes. */
  const longRequest = (bytes: number) =>
    command({ ...find, filter: { component_name: { $ne: 'x'.repeat(bytes) } } });

  it('serve 130 clients of a user, each with a connection that watches the server', async () => {
    const { clients: all } = await open();
    const sockets = await Promise.all(
      Array.from({ length: 130 }, async () => {
        const watching = await all.dial();
        assert.equal((await sendRequest(watching, command({ hello: 1 }))).answer.ok, 1);
        return all.dialSignedIn('acme');
      }),
    );
    const answers = await Promise.all(sockets.map((socket) => sendRequest(socket, command(find))));
    assert.deepEqual(new Set(answers.map(({ answer }) => Number(answer.ok))), new Set([1]));
  });

  it('report to a client why it is not served, and log how often that happened', async () => {
    const limits = { withoutUser: 2, rejecting: 100 };
    const { fixture: made, clients: all } = await open({ limits, sweepMs: 20 });
    const [first] = [await all.dial(), await all.dial()];
    for (const bytes of [command({ hello: 1 }), legacyCommand({ isMaster: 1 })]) {
      const socket = await all.dial();
      const closed = once(socket, 'close');
      const { answer } = await sendRequest(socket, bytes);
      assert.deepEqual([answer.ok, answer.codeName], [0, OVERLOADED]);
      assert.deepEqual(answer.errorLabels, ['SystemOverloadedError', 'RetryableError']);
      await closed;
    }
    const driver = made.client('acme', undefined, { serverSelectionTimeoutMS: 300 });
    await assert.rejects(
      driver.connect(),
      (error) =>
        error instanceof MongoServerSelectionError &&
        error.message.includes('too many connections'),
    );
    await waitUntil(() =>
      made.logger.lines.some(({ message }) => message.includes('too many connections')),
    );
    first.destroy();
    await waitUntil(async () => {
      const socket = await all.dial();
      return (await sendRequest(socket, command({ hello: 1 }))).answer.ok === 1;
    });
  });

  it('leave connections to other addresses, except those of trusted proxies', async () => {
    const limits = { perAddress: 4, withoutUserPerAddress: 2 };
    const { clients: all } = await open({ limits });
    const hello = async (): Promise<Document> =>
      (await sendRequest(await all.dial(), command({ hello: 1 }))).answer;
    await all.dialSignedIn('acme');
    for (const ok of [1, 1, 0]) assert.equal((await hello()).ok, ok);
    assert.match(String((await hello()).errmsg), /^this address has too many connections/);
    all[Symbol.dispose]();
    await fixture?.close();

    const { clients: signedIn } = await open({ limits });
    for (let count = 0; count < limits.perAddress; count += 1) await signedIn.dialSignedIn('acme');
    const { answer } = await sendRequest(await signedIn.dial(), command({ hello: 1 }));
    assert.deepEqual([answer.ok, answer.codeName], [0, OVERLOADED]);
    signedIn[Symbol.dispose]();
    await fixture?.close();

    const proxies = ['127.0.0.0/8'];
    const { clients: forwarded } = await open({ limits }, undefined, undefined, proxies);
    for (let count = 0; count < 6; count += 1) {
      const response = await sendRequest(await forwarded.dial(), command({ hello: 1 }));
      assert.equal(response.answer.ok, 1);
    }
  });

  it('reject commands of an address, and of a user, that sends too many', async () => {
    for (const rateLimits of [
      { perKey: undefined, perAddress: 1 },
      { perKey: 1, perAddress: undefined },
    ]) {
      const { clients: all } = await open({}, undefined, rateLimits);
      const socket = await all.dialSignedIn('acme');
      const answer = await waitForValue(
        async () => {
          const { answer: next } = await sendRequest(socket, command(find));
          return next.ok === 1 ? undefined : next;
        },
        { pollMs: 0 },
      );
      assert.equal(answer.codeName, OVERLOADED);
      assert.match(String(answer.errmsg), /^too many calls .*at most 1 per second/);
      all[Symbol.dispose]();
      await fixture?.close();
    }
    fixture = undefined;
  });

  it('delay sign-ins after failures', async () => {
    const waits: number[] = [];
    const sleep = (milliseconds: number): Promise<void> => {
      waits.push(milliseconds);
      return Promise.resolve();
    };
    const signInGuard = new SignInGuard({ logger: silentLogger, sleep, freeFailures: 1 });
    const { fixture: own } = await open({ signInGuard });
    await assert.rejects(own.client('acme', 'wrong password').connect());
    const before = waits.length;
    await assert.rejects(own.client('acme', 'wrong password').connect());
    assert.ok(waits.length > before);
  });

  it('reject a user with too many connections', async () => {
    const { clients: all } = await open({ limits: { ofUser: 1 } });
    await all.dialSignedIn('acme');
    const { answer } = await signIn(await all.dial(), 'acme');
    assert.deepEqual([answer.ok, answer.codeName], [0, OVERLOADED]);
    assert.match(String(answer.errmsg), /this user has too many connections/);
  });

  it('bound the memory that requests and responses of all clients use', async () => {
    const { fixture: made, clients: all } = await open({
      limits: { memoryBytes: 300 * KIBIBYTE },
    });
    const text = 'x'.repeat(150 * KIBIBYTE);
    made.readings.get('acme')?.push({ component_name: 'camera', text });
    const [slow, other] = [await all.dialSignedIn('acme'), await all.dialSignedIn('acme')];
    const request = longRequest(200 * KIBIBYTE);
    // Send the request without its last byte.
    slow.write(request.subarray(0, -1));
    await waitUntil(async () => {
      const { answer } = await sendRequest(other, longRequest(200 * KIBIBYTE));
      return answer.codeName === OVERLOADED && String(answer.errmsg).includes('long requests');
    });
    const camera = { ...find, filter: { component_name: 'camera' } };
    const { answer } = await sendRequest(other, command(camera));
    assert.deepEqual([answer.ok, answer.codeName], [0, OVERLOADED]);
    assert.match(String(answer.errmsg), /long responses/);
    assert.equal((await sendRequest(other, command({ ...camera, filter: { n: 1 } }))).answer.ok, 1);
    assert.equal((await sendRequest(slow, request.subarray(-1))).answer.ok, 1);
    for (const bytes of [request, command(camera)]) {
      assert.equal((await sendRequest(other, bytes)).answer.ok, 1);
    }
  });

  describe('without free memory', () => {
    /**
     * Opens an endpoint with only 50 KiB of memory left; returns another client's connection to it.
     */
    async function openWithoutMemory(readings: Document[]): Promise<Socket> {
      const { fixture: made, clients: all } = await open({
        limits: { memoryBytes: 300 * KIBIBYTE },
      });
      made.readings.set('acme', readings);
      const [slow, socket] = [await all.dialSignedIn('acme'), await all.dialSignedIn('acme')];
      slow.write(longRequest(250 * KIBIBYTE).subarray(0, -1));
      await waitUntil(async () => {
        const { answer } = await sendRequest(socket, longRequest(100 * KIBIBYTE));
        return answer.codeName === OVERLOADED;
      });
      return socket;
    }
    const long = { text: 'x'.repeat(150 * KIBIBYTE) };

    it('return all documents of a result in batches that need no memory', async () => {
      const socket = await openWithoutMemory(Array.from({ length: 20_000 }, (_, n) => ({ n })));
      const numbers: number[] = [];
      let request = command({ ...find, batchSize: 20_000 });
      for (let id = -1; id !== 0;) {
        const { answer } = await sendRequest(socket, request);
        assert.equal(answer.ok, 1, String(answer.errmsg));
        const { cursor } = answer as { cursor: Document & { id: number } };
        const batch = (cursor.firstBatch ?? cursor.nextBatch) as { n: number }[];
        numbers.push(...batch.map(({ n }) => n));
        ({ id } = cursor);
        request = command({
          getMore: Long.fromNumber(id),
          collection: 'readings',
          $db: 'sensorData',
        });
      }
      assert.deepEqual(
        numbers,
        Array.from({ length: 20_000 }, (_, n) => n),
      );
    });

    it('close a cursor whose next document cannot be sent instead of skipping it', async () => {
      const socket = await openWithoutMemory([{ n: 0 }, long, { n: 2 }]);
      const { answer: first } = await sendRequest(socket, command({ ...find, batchSize: 1 }));
      const { id } = first.cursor as { id: number };
      const { answer } = await getMore(socket, id);
      assert.deepEqual([answer.ok, answer.codeName], [0, 'ExceededMemoryLimit']);
      assert.equal(answer.errorLabels, undefined);
      assert.equal((await getMore(socket, id)).answer.codeName, 'CursorNotFound');
      assert.equal(await fixture?.countSpooledResults(), 0);
    });

    it('open no cursor for a query whose first document cannot be sent', async () => {
      const socket = await openWithoutMemory([long, { n: 1 }]);
      const { answer } = await sendRequest(socket, command({ ...find, batchSize: 1 }));
      assert.deepEqual([answer.ok, answer.codeName], [0, OVERLOADED]);
      assert.equal(await fixture?.countSpooledResults(), 0);
    });
  });

  it('disconnect a client that does not finish its message', async () => {
    const { clients: all } = await open({ limits: { receivingMs: 50 } });
    for (const count of [1, 20]) {
      const socket = await all.dialSignedIn('acme');
      const closed = once(socket, 'close');
      socket.write(command(find).subarray(0, count));
      await closed;
    }
  });

  for (const limit of ['sendingMs', 'sendingIdleMs'] as const) {
    it(`disconnect a client that does not read its response (${limit})`, async () => {
      const { fixture: made, clients: all } = await open({ limits: { ofUser: 1, [limit]: 50 } });
      // Larger than socket buffers.
      const text = 'x'.repeat(15 * MEBIBYTE);
      made.readings.get('acme')?.push({ component_name: 'camera', text });
      const slow = await all.dialSignedIn('acme');
      slow.pause();
      slow.write(command({ ...find, filter: { component_name: 'camera' } }));
      // Wait until the user can open another connection, because the user can have only one.
      await waitUntil(async () => (await signIn(await all.dial(), 'acme')).answer.ok === 1);
    });
  }

  it('use no memory for cursors that wait for their clients', async () => {
    const { fixture: made, clients: all } = await open();
    const text = 'x'.repeat(2 * KIBIBYTE);
    const readings = Array.from({ length: 300 }, (_, n) => ({ n, text }));
    made.readings.set('acme', readings);
    const socket = await all.dialSignedIn('acme');
    const before = getBufferBytes();
    const ids: number[] = [];
    for (let count = 0; count < 100; count += 1) {
      const { answer } = await sendRequest(socket, command({ ...find, batchSize: 1 }));
      const { id } = answer.cursor as { id: number };
      ids.push(id);
      assert.equal((await getMore(socket, id)).answer.ok, 1);
    }
    await waitUntil(() => made.running === 0);
    await waitUntil(() => getBufferBytes() - before < 8 * MEBIBYTE);
    // The cursors continue at their positions.
    for (const id of ids.slice(0, 3)) {
      const { answer } = await getMore(socket, id);
      const { nextBatch } = answer.cursor as { nextBatch: { n: number }[] };
      assert.deepEqual(
        nextBatch.map(({ n }) => n),
        [2],
      );
    }
    const killed = command({
      killCursors: 'readings',
      $db: 'sensorData',
      cursors: ids.map((id) => Long.fromNumber(id)),
    });
    assert.equal((await sendRequest(socket, killed)).answer.ok, 1);
    assert.equal(await made.countSpooledResults(), 0);
    const { answer } = await getMore(socket, ids[0] ?? 0);
    assert.deepEqual([answer.ok, answer.codeName], [0, 'CursorNotFound']);
  });

  it('report that the organization has too many cursors', async () => {
    const { fixture: made, clients: all } = await open({ cursorLimits: { perOrganization: 5 } });
    const socket = await all.dialSignedIn('acme');
    for (let count = 0; count < 5; count += 1) {
      const { answer } = await sendRequest(socket, command({ ...find, batchSize: 1 }));
      assert.equal(answer.ok, 1);
    }
    const { answer } = await sendRequest(socket, command({ ...find, batchSize: 1 }));
    assert.match(String(answer.errmsg), /too many cursors are open/);
    assert.equal(await made.countSpooledResults(), 5);
  });

  const getMore = (socket: Socket, id: number) =>
    sendRequest(
      socket,
      command({
        getMore: Long.fromNumber(id),
        collection: 'readings',
        batchSize: 1,
        $db: 'sensorData',
      }),
    );
});

/** Returns the size of buffers in this process, which includes the endpoint. */
function getBufferBytes(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().arrayBuffers;
}
