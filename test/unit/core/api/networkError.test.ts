import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createSecureServer } from 'node:http2';
import {
  createServer as createTcpServer,
  type AddressInfo,
  type Server,
  type Socket,
} from 'node:net';
import { join } from 'node:path';
import { createClient } from '@connectrpc/connect';
import { connectNodeAdapter } from '@connectrpc/connect-node';
import { FleetError } from '../../../../src/core/api/errors';
import { createGrpcWire, type PingTimes } from '../../../../src/core/api/grpcWire';
import { createInterceptedTransport } from '../../../../src/core/api/interceptedTransport';
import { AuthService } from '../../../../src/gen/proto/rpc/v1/auth_pb';
import { AppService } from '../../../../src/gen/viam/app/v1/app_pb';
import { silentLogger } from '../../../support/silentLogger';
import { connectedTransport } from '../../../support/connectedTransport';
import { TestClock } from '../../../support/testClock';

const certificate = readFileSync(join(__dirname, 'certificates/selfSigned.cert.pem'), 'utf8');
const privateKey = readFileSync(join(__dirname, 'certificates/selfSigned.key.pem'), 'utf8');

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** Returns the outcome of a first call to `baseUrl`. */
async function attempt(
  baseUrl: string,
  authorities: readonly string[] = [],
  pingTimes?: PingTimes,
): Promise<unknown> {
  const wire = createGrpcWire(baseUrl, authorities, pingTimes);
  const { transport } = createInterceptedTransport({
    baseUrl,
    openWire: wire.open,
    readKey: () => Promise.resolve({ id: 'id', secret: 'secret' }),
    logger: silentLogger,
    clock: new TestClock(),
    sleep: () => Promise.resolve(),
    random: () => 0,
  });
  try {
    return await createClient(AppService, connectedTransport(transport, baseUrl)).listOrganizations(
      {},
    );
  } catch (error) {
    return error;
  } finally {
    wire.dispose();
  }
}

function assertFailure(result: unknown, kind: string, action: string, message: RegExp): void {
  assert.ok(result instanceof FleetError, String(result));
  assert.match(result.message, message);
  assert.equal(result.kind, kind);
  assert.equal(result.action, action);
}

describe('an unusable address', () => {
  const cleanUps: (() => void)[] = [];

  afterEach(() => {
    for (const cleanUp of cleanUps.splice(0)) cleanUp();
  });

  async function serve(server: Server): Promise<number> {
    const sockets = new Set<Socket>();
    server.on('connection', (socket: Socket) => {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
      socket.on('error', () => undefined);
    });
    cleanUps.push(() => {
      for (const socket of sockets) socket.destroy();
      server.close();
    });
    return listen(server);
  }

  function secureFleet(): Server {
    return createSecureServer(
      { cert: certificate, key: privateKey },
      connectNodeAdapter({
        routes: (router) => {
          router.service(AuthService, { authenticate: () => ({ accessToken: 't' }) });
          router.service(AppService, { listOrganizations: () => ({}) });
        },
      }),
    );
  }

  it('is unreachable if nothing listens there', async () => {
    const server = createTcpServer();
    const port = await listen(server);
    await new Promise((resolve) => server.close(resolve));
    const result = await attempt(`http://127.0.0.1:${port}`);
    assertFailure(
      result,
      'unavailable',
      'retry',
      /Can't connect to 127\.0\.0\.1:\d+: connection refused/,
    );
  });

  it('is reported as not responding if its service hangs', async () => {
    const port = await serve(createTcpServer());
    const pingTimes = { pingIntervalMs: 20, pingTimeoutMs: 20 };
    const result = await attempt(`http://127.0.0.1:${port}`, [], pingTimes);
    assertFailure(
      result,
      'unavailable',
      'retry',
      /^127\.0\.0\.1:\d+ has not responded for a while/,
    );
  });

  it('is unreachable if its host does not exist', async () => {
    const result = await attempt('https://fleet.invalid');
    assertFailure(
      result,
      'unavailable',
      'retry',
      /Can't connect to fleet\.invalid: (unknown host|its name)/,
    );
  });

  it('is untrusted with a self-signed certificate until its authority is configured', async () => {
    const port = await serve(secureFleet());
    const result = await attempt(`https://127.0.0.1:${port}`);
    assertFailure(
      result,
      'unavailable',
      'trustAuthority',
      /certificate for 127\.0\.0\.1:\d+ isn't trusted: it is self-signed/,
    );
    const trusted = await attempt(`https://127.0.0.1:${port}`, [certificate]);
    assert.ok(!(trusted instanceof Error), String(trusted));
  });

  it('is untrusted with the certificate of another host', async () => {
    const port = await serve(secureFleet());
    const result = await attempt(`https://127.0.0.2:${port}`, [certificate]);
    // 127.0.0.2 is a loopback address only on Linux; on other systems, nothing responds there.
    assertFailureOneOf(result, /it is for another host name|Can't connect to/);
  });

  it('has the wrong protocol with plain HTTP instead of TLS', async () => {
    const port = await serve(createHttpServer((_, response) => response.end('hello')));
    const result = await attempt(`https://127.0.0.1:${port}`);
    assertFailure(result, 'unavailable', 'signIn', /doesn't speak gRPC over TLS/);
  });

  it('has the wrong protocol with TLS instead of plain HTTP', async () => {
    const port = await serve(secureFleet());
    const result = await attempt(`http://127.0.0.1:${port}`);
    assertFailureOneOf(result, /doesn't speak gRPC|closed the connection/);
  });

  it('has the wrong protocol with an HTTP/1.1 web server', async () => {
    const port = await serve(createHttpServer((_, response) => response.end('hello')));
    const result = await attempt(`http://127.0.0.1:${port}`);
    assertFailure(result, 'unavailable', 'signIn', /doesn't speak gRPC over plain HTTP\/2/);
  });

  it('is not a fleet service with an HTTP/2 web server', async () => {
    const port = await serve(
      createSecureServer({ cert: certificate, key: privateKey }, (_, response) => {
        response.writeHead(404, { 'content-type': 'text/html' });
        response.end('<p>not here</p>');
      }),
    );
    const result = await attempt(`https://127.0.0.1:${port}`, [certificate]);
    assertFailure(result, 'unsupported', 'signIn', /is not a fleet service/);
  });

  function assertFailureOneOf(result: unknown, message: RegExp): void {
    assert.ok(result instanceof FleetError, String(result));
    assert.equal(result.kind, 'unavailable');
    assert.match(result.message, message);
  }
});
