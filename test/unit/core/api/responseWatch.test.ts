import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { createClient, type Transport } from '@connectrpc/connect';
import type { ResponseChange } from '../../../../src/core/api/responseWatch';
import {
  createInterceptedTransport,
  type InterceptedTransport,
} from '../../../../src/core/api/interceptedTransport';
import { AppService } from '../../../../src/gen/viam/app/v1/app_pb';
import { connectedTransport } from '../../../support/connectedTransport';
import { Freezer } from '../../../support/freezer';
import { type MemoryFleet, openMemoryFleet } from '../../../support/memoryFleet';
import { NumberedLog } from '../../../support/numberedLog';
import { silentLogger } from '../../../support/silentLogger';
import { TestSleeps } from '../../../support/testSleeps';
import { waitUntil } from '../../../support/waitUntil';

/** More turns of the event loop than any error would need to become visible. */
const MANY_TURNS = 50;

describe('ResponseWatch', () => {
  let fleet: MemoryFleet;
  let sleeps: TestSleeps;
  let freezer: Freezer;
  let opened: InterceptedTransport;
  let transport: Transport;
  let changes: ResponseChange[];

  beforeEach(async () => {
    fleet = await openMemoryFleet();
    sleeps = new TestSleeps();
    freezer = new Freezer();
    changes = [];
    opened = createInterceptedTransport({
      baseUrl: fleet.baseUrl,
      openWire: (interceptors) => fleet.wire([...interceptors, freezer.interceptor]),
      readKey: () => Promise.resolve(fleet.key),
      logger: silentLogger,
      clock: fleet.clock,
      sleep: () => Promise.resolve(),
      random: () => 0,
      watchSleep: sleeps.sleep,
    });
    transport = connectedTransport(opened.transport, fleet.baseUrl);
    opened.responses?.onDidChange((change) => changes.push(change));
    await list();
    fleet.calls.clear();
  });

  afterEach(async () => {
    opened.responses?.dispose();
    freezer.goOn();
    await fleet.close();
  });

  const kinds = (): string[] => changes.map(({ kind }) => kind);
  const probes = (): number => fleet.calls.get('ListOrganizations') ?? 0;

  async function list(): Promise<number> {
    const { organizations } = await createClient(AppService, transport).listOrganizations({});
    return organizations.length;
  }

  /** Ends all of the watchdog's sleeps during many turns of the event loop. */
  async function letTimePass(): Promise<void> {
    for (let left = MANY_TURNS; left > 0; left -= 1) {
      sleeps.wake();
      await turn();
    }
  }

  it('reports a service that does not respond to a call, once, and its recovery', async () => {
    freezer.freeze();
    const listing = list();
    await sleeps.until(() => kinds().length > 0);
    await letTimePass();
    assert.deepEqual(kinds(), ['silent']);
    freezer.goOn();
    assert.equal(await listing, 1);
    await waitUntil(() => kinds().length === 2);
    assert.deepEqual(kinds(), ['silent', 'answering']);
  });

  it('reports nothing while a slow call waits and the service responds to probes', async () => {
    const slow = Promise.withResolvers<undefined>();
    const robots = fleet.wire([
      opened.responses?.interceptor ?? assert.fail(),
      (next) => async (request) => {
        await slow.promise;
        return next(request);
      },
    ]);
    const call = createClient(AppService, robots).getUserIDByEmail({ email: 'a@b.c' });
    call.catch(() => undefined);
    await sleeps.until(() => probes() > 3);
    slow.resolve(undefined);
    await assert.rejects(call);
    assert.deepEqual(kinds(), []);
  });

  it('sends nothing while no call and no stream is open', async () => {
    await letTimePass();
    assert.equal(fleet.calls.size, 0);
    assert.equal(sleeps.count, 0);
  });

  it('reports a frozen service even if only a quiet stream is open', async () => {
    const machine = await NumberedLog.make(fleet, 'rover');
    const ending = new AbortController();
    const lines: string[] = [];
    const reading = (async () => {
      const tail = createClient(AppService, transport).tailRobotPartLogs(
        { id: machine.part },
        { signal: ending.signal },
      );
      for await (const { logs } of tail) lines.push(...logs.map(({ message }) => message));
    })();
    reading.catch(() => undefined);
    await waitUntil(() => (fleet.calls.get('TailRobotPartLogs') ?? 0) > 0);
    await sleeps.until(() => probes() > 0);
    assert.deepEqual(kinds(), []);
    freezer.freeze();
    await sleeps.until(() => kinds().length > 0);
    freezer.goOn();
    await waitUntil(() => kinds().length === 2);
    await machine.log(1);
    await waitUntil(() => lines.length === 1);
    assert.deepEqual(kinds(), ['silent', 'answering']);
    ending.abort();
    await assert.rejects(reading);
    // The watchdog stops when the call that it watches ends.
    await sleeps.until(() => sleeps.count === 0);
  });

  it('probes a quiet stream less often the longer nothing is called', async () => {
    const machine = await NumberedLog.make(fleet, 'rover');
    const ending = new AbortController();
    const client = createClient(AppService, transport);
    const tail = client.tailRobotPartLogs({ id: machine.part }, { signal: ending.signal });
    let lines = 0;
    const reading = (async () => {
      for await (const { logs } of tail) lines += logs.length;
    })();
    reading.catch(() => undefined);
    await waitUntil(() => (fleet.calls.get('TailRobotPartLogs') ?? 0) > 0);
    const heartbeats = (): number[] => sleeps.durations.filter((duration) => duration >= 5_000);
    await sleeps.until(() => heartbeats().length >= 5);
    assert.deepEqual(heartbeats().slice(0, 5), [5_000, 10_000, 20_000, 20_000, 20_000]);
    sleeps.durations.length = 0;
    await list();
    await sleeps.until(() => heartbeats().length >= 2);
    assert.deepEqual(heartbeats().slice(0, 2), [5_000, 10_000]);
    // A line that arrives counts, too.
    sleeps.durations.length = 0;
    await machine.log(1);
    await waitUntil(() => lines === 1);
    await sleeps.until(() => heartbeats().includes(5_000));
    ending.abort();
    await assert.rejects(reading);
  });

  it('reports that the connection is lost when a silent service is killed', async () => {
    freezer.freeze();
    const listing = list();
    listing.catch(() => undefined);
    await sleeps.until(() => kinds().length > 0);
    freezer.kill();
    await assert.rejects(listing, { kind: 'unavailable' });
    await waitUntil(() => kinds().length === 2);
    const lost = changes[1];
    assert.equal(lost?.kind === 'lost' && lost.error.kind, 'unavailable');
  });

  it('reports nothing for a service that cannot be reached', async () => {
    freezer.freeze();
    freezer.kill();
    await assert.rejects(list(), { kind: 'unavailable' });
    await letTimePass();
    assert.deepEqual(kinds(), []);
  });

  it('ends with the connection', async () => {
    freezer.freeze();
    const listing = list();
    opened.responses?.dispose();
    await letTimePass();
    assert.deepEqual(kinds(), []);
    freezer.goOn();
    assert.equal(await listing, 1);
  });
});
