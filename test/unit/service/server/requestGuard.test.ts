import assert from 'node:assert/strict';
import { networkInterfaces } from 'node:os';
import { text } from 'node:stream/consumers';
import { type FleetServer, startFleetServer } from '../../../../src/service/server/fleetServer';
import type { HttpRoute } from '../../../../src/service/server/http';
import { echoRoutes } from '../../../support/echoRoutes';
import { http1Request, http2Status, openSocket } from '../../../support/rawHttp';
import { RecordingLogger } from '../../../support/recordingLogger';

const PATH = '/viam.app.v1.AppService/GetRobotPart';
const PAGE = 'https://app.example.com';
const OWN_PAGE = '/own-page';
const ownPage: HttpRoute = (request, response) => {
  const isOurs = request.url === OWN_PAGE;
  if (isOurs) response.end('own');
  return isOurs;
};
const json = { 'content-type': 'application/json' };

describe('the request guard', () => {
  let server: FleetServer;
  let port: string;

  before(async () => {
    server = await startFleetServer({
      host: '0.0.0.0',
      port: 0,
      allowedHosts: ['fleet.example.com'],
      allowedOrigins: [PAGE],
      ownPages: { isPage: (path) => path === OWN_PAGE, publicUrl: 'https://fleet.example.com' },
      httpRoutes: [ownPage],
      routes: echoRoutes,
      interceptors: [],
      logger: new RecordingLogger(),
    });
    ({ port } = new URL(server.url));
  });
  after(() => server.close());

  const call = (headers: Record<string, string>, method = 'POST') =>
    http1Request(server.url + PATH, { method, headers: { ...json, ...headers }, body: '{}' });

  it('accepts loopback and allowed names with any port', async () => {
    for (const host of [
      'localhost',
      `LOCALHOST:${port}`,
      '127.0.0.1',
      '127.1.2.3:80',
      '[::1]:7',
      'fleet.example.com:443',
    ]) {
      assert.equal((await call({ host })).status, 200, host);
    }
  });

  it('rejects other names, such as from a page that rebound its name to this machine', async () => {
    for (const host of [
      'evil.example.com',
      `evil.example.com:${port}`,
      'localhost.evil.example.com',
      '127.0.0.1.evil.example.com',
      'localhost@evil.example.com',
      'localhost:99999',
      '0.0.0.0',
      '[::]:80',
      '10.11.12',
      '0x7f000001',
    ]) {
      const { status, body } = await call({ host });
      assert.equal(status, 403, host);
      assert.match(body, /host name ".*" is not allowed/);
    }
  });

  it('accepts every address, including one that only a router in front of it has', async () => {
    for (const host of ['10.11.12.13', '203.0.113.7:8443', '[2001:db8::1]:443']) {
      assert.equal((await call({ host })).status, 200, host);
    }
  });

  it('rejects a request with two host names', async () => {
    const socket = await openSocket(server.url);
    socket.write('GET / HTTP/1.1\r\nhost: localhost\r\nHost: fleet.example.com\r\n\r\n');
    assert.match(await text(socket), /^HTTP\/1\.1 400 /);
  });

  it('rejects requests without a name', async () => {
    for (const head of ['GET / HTTP/1.0\r\n\r\n', 'GET / HTTP/1.1\r\nhost:\r\n\r\n']) {
      const socket = await openSocket(server.url);
      socket.write(head);
      assert.match(await text(socket), /^HTTP\/1\.1 403 /);
    }
  });

  it('checks the names in HTTP/2 requests', async () => {
    const names = { ':path': PATH, ':method': 'POST', ...json };
    assert.equal(await http2Status(server.url, { ...names, ':authority': 'evil.example' }), 403);
    assert.equal(await http2Status(server.url, { ...names, host: 'evil.example' }), 403);
    assert.notEqual(await http2Status(server.url, { ...names, ':authority': 'localhost' }), 403);
  });

  it('accepts IPv6 addresses without brackets, as the HTTP/2 client of Node.js sends them', async () => {
    const names = { ':path': PATH, ':method': 'POST', ...json };
    for (const authority of ['::1:44415', '::1:80', '2001:db8::1:443', '2001:db8::1']) {
      assert.notEqual(await http2Status(server.url, { ...names, ':authority': authority }), 403);
    }
    for (const authority of [':::44415', '::', 'evil::1:80', '::1:99999']) {
      assert.equal(await http2Status(server.url, { ...names, ':authority': authority }), 403);
    }
  });

  it('accepts the address that the client connected to if it listens on all', async () => {
    const address = Object.values(networkInterfaces())
      .flat()
      .find((entry) => entry?.family === 'IPv4' && !entry.internal)?.address;
    const host = address ?? '127.0.0.1';
    const { status } = await http1Request(`http://${host}:${port}${PATH}`, {
      method: 'POST',
      headers: json,
      body: '{}',
    });
    assert.equal(status, 200);
  });

  it('rejects pages of every origin that is not listed, including the loopback', async () => {
    for (const origin of [
      'https://evil.example.com',
      'http://localhost:3000',
      'null',
      server.url,
    ]) {
      const { status, headers } = await call({ origin });
      assert.equal(status, 403, origin);
      assert.equal(headers['access-control-allow-origin'], undefined);
    }
  });

  it('accepts forms of its own pages under each of its names, and of no other page', async () => {
    const send = async (origin: string, headers: Record<string, string> = {}) =>
      (
        await http1Request(server.url + OWN_PAGE, {
          method: 'POST',
          headers: { ...headers, origin },
        })
      ).status;
    assert.equal(await send(server.url), 200);
    assert.equal(await send(`http://localhost:${port}`, { host: `localhost:${port}` }), 200);
    // Simulates a proxy that terminates TLS and uses the service's listening address as the host.
    assert.equal(await send('https://fleet.example.com'), 200);
    for (const origin of [
      'https://evil.example.com',
      `http://localhost:${port}`,
      'http://127.0.0.1:1',
      'https://fleet.example.com.evil.example.com',
      `ftp://127.0.0.1:${port}`,
      'null',
    ]) {
      assert.equal(await send(origin), 403, origin);
    }
    assert.equal(await send(PAGE, { host: 'fleet.example.com' }), 200);
    assert.equal(await send(server.url, { host: 'evil.example.com' }), 403);
  });

  it('allows pages of listed origins to read responses and errors', async () => {
    const { status, headers } = await call({ origin: PAGE });
    assert.equal(status, 200);
    assert.equal(headers['access-control-allow-origin'], PAGE);
    assert.equal(headers.vary, 'origin');
    assert.match(String(headers['access-control-expose-headers']), /grpc-status, grpc-message/i);
  });

  it('responds only to the preflight requests of listed origins', async () => {
    const preflight = { 'access-control-request-method': 'POST' };
    const allowed = await call({ origin: PAGE, ...preflight }, 'OPTIONS');
    assert.equal(allowed.status, 204);
    const headers = String(allowed.headers['access-control-allow-headers']).toLowerCase();
    for (const name of [
      'authorization',
      'viam_client',
      'x-grpc-web',
      'x-user-agent',
      'content-type',
      'grpc-timeout',
    ]) {
      assert.ok(headers.split(', ').includes(name), name);
    }
    assert.equal(
      (await call({ origin: 'https://evil.example.com', ...preflight }, 'OPTIONS')).status,
      403,
    );
  });
});
