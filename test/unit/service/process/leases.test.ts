import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Leases } from '../../../../src/service/process/leases';
import { type FleetServer, startFleetServer } from '../../../../src/service/server/fleetServer';
import { http1Request } from '../../../support/rawHttp';
import { silentLogger } from '../../../support/silentLogger';

const PATH = '/.fleetwright/lease';
const GOOD = 'Bearer good';
const UNUSED_MS = 150;

describe('leases', () => {
  let unused = 0;
  let isBusy = false;
  let leases: Leases;
  let server: FleetServer;

  beforeEach(async () => {
    unused = 0;
    isBusy = false;
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
    });
    server = await startFleetServer({
      host: '127.0.0.1',
      port: 0,
      routes: () => undefined,
      interceptors: [],
      httpRoutes: [leases.route],
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
    return { incoming, release: () => outgoing.destroy() };
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
    await sleep(2 * UNUSED_MS);
    first.release();
    await sleep(2 * UNUSED_MS);
    assert.equal(unused, 0);
    second.release();
    await sleep(UNUSED_MS / 2);
    assert.equal(unused, 0);
    await sleep(2 * UNUSED_MS);
    assert.equal(unused, 1);
  });

  it('are not required while unattended work is running', async () => {
    isBusy = true;
    leases.start();
    await sleep(2.5 * UNUSED_MS);
    assert.equal(unused, 0);
    isBusy = false;
    await sleep(2 * UNUSED_MS);
    assert.equal(unused, 1);
  });

  it('are awaited after the start', async () => {
    leases.start();
    await sleep(2 * UNUSED_MS);
    assert.equal(unused, 1);
  });

  it('end, and are rejected, after the service stops', async () => {
    const { incoming } = await hold();
    const ended = once(incoming, 'end');
    leases.close();
    await ended;
    const headers = { authorization: GOOD };
    assert.equal((await http1Request(server.url + PATH, { headers })).status, 503);
    await sleep(2 * UNUSED_MS);
    assert.equal(unused, 0);
  });

  it('are rejected after the service was found unused', async () => {
    leases.start();
    while (unused === 0) await sleep(10);
    const headers = { authorization: GOOD };
    assert.equal((await http1Request(server.url + PATH, { headers })).status, 503);
  });
});
