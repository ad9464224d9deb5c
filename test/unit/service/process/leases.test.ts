import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { Leases } from '../../../../src/service/process/leases';
import { type FleetServer, startFleetServer } from '../../../../src/service/server/fleetServer';
import { http1Request } from '../../../support/rawHttp';
import { silentLogger } from '../../../support/silentLogger';
import { waitUntil } from '../../../support/waitUntil';

const PATH = '/.fleetwright/lease';
const GOOD = 'Bearer good';
const UNUSED_MS = 150;

describe('leases', () => {
  let unused = 0;
  let isBusy = false;
  /** Calls that the timers will make. */
  const timers = new Set<() => void>();
  let released = 0;
  let leases: Leases;
  let server: FleetServer;

  beforeEach(async () => {
    unused = 0;
    isBusy = false;
    timers.clear();
    released = 0;
    leases = new Leases({
      authenticate: (authorization) =>
        authorization === 'Bearer broken'
          ? Promise.reject(new Error('no store'))
          : Promise.resolve(authorization === GOOD),
      idleTimeoutMs: UNUSED_MS,
      isBusy: () => isBusy,
      onUnused: () => {
        unused += 1;
      },
      startTimer: (call, delayMs) => {
        assert.equal(delayMs, UNUSED_MS);
        timers.add(call);
        return () => timers.delete(call);
      },
    });
    server = await startFleetServer({
      host: '127.0.0.1',
      port: 0,
      routes: () => undefined,
      interceptors: [],
      httpRoutes: [
        (incoming, response) => {
          response.once('close', () => {
            released += 1;
          });
          return leases.route(incoming, response);
        },
      ],
      logger: silentLogger,
    });
  });
  afterEach(async () => {
    leases.close();
    await server.close();
  });

  async function hold() {
    const headers = { authorization: GOOD };
    const outgoing = request(server.url + PATH, { headers, agent: false }).end();
    const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
    assert.equal(incoming.statusCode, 200);
    assert.equal(String((await once(incoming, 'data'))[0]), 'held\n');
    const release = async (): Promise<void> => {
      const before = released;
      outgoing.destroy();
      await waitUntil(() => released > before);
    };
    return { incoming, release };
  }

  /** Lets the time pass until the timers of the leases, if any, have fired once. */
  function passTime(): void {
    const due = [...timers];
    timers.clear();
    for (const call of due) call();
  }

  it('are granted only for a valid token', async () => {
    for (const authorization of [undefined, 'Bearer bad', 'Bearer broken']) {
      const headers = authorization === undefined ? {} : { authorization };
      assert.equal((await http1Request(server.url + PATH, { headers })).status, 401);
    }
    const post = { method: 'POST', headers: { authorization: GOOD } };
    assert.equal((await http1Request(server.url + PATH, post)).status, 405);
  });

  it('prevent the end of an unused service, and restart its timeout when the last one is released', async () => {
    leases.start();
    const [first, second] = [await hold(), await hold()];
    assert.equal(timers.size, 0);
    await first.release();
    assert.equal(timers.size, 0);
    await second.release();
    assert.equal(timers.size, 1);
    const third = await hold();
    assert.equal(timers.size, 0);
    await third.release();
    assert.equal(unused, 0);
    passTime();
    assert.equal(unused, 1);
    assert.equal(timers.size, 0);
  });

  it('are not required while unattended work is running', () => {
    isBusy = true;
    leases.start();
    passTime();
    passTime();
    assert.equal(unused, 0);
    isBusy = false;
    passTime();
    assert.equal(unused, 1);
  });

  it('are awaited after the start', () => {
    leases.start();
    assert.equal(unused, 0);
    passTime();
    assert.equal(unused, 1);
  });

  it('end, and are rejected, after the service stops', async () => {
    const { incoming } = await hold();
    const ended = once(incoming, 'end');
    leases.close();
    await ended;
    const headers = { authorization: GOOD };
    assert.equal((await http1Request(server.url + PATH, { headers })).status, 503);
    assert.equal(timers.size, 0);
  });

  it('are rejected after the service was found unused', async () => {
    leases.start();
    passTime();
    const headers = { authorization: GOOD };
    assert.equal((await http1Request(server.url + PATH, { headers })).status, 503);
  });
});
