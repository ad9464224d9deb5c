import assert from 'node:assert/strict';
import { TrustedProxies } from '../../../../src/service/server/trustedProxies';
import { EventEmitter, once } from 'node:events';
import { constants, type ClientHttp2Session, type ClientHttp2Stream, connect } from 'node:http2';
import { Socket } from 'node:net';
import { Code, createClient } from '@connectrpc/connect';
import { createGrpcTransport } from '@connectrpc/connect-node';
import { AppService } from '../../../../src/gen/viam/app/v1/app_pb';
import { ConnectionGuard } from '../../../../src/service/server/connectionGuard';
import type { PortListener } from '../../../../src/service/server/portListener';
import {
  type FleetServer,
  type FleetServerOptions,
  startFleetServer,
} from '../../../../src/service/server/fleetServer';
import type { Admit } from '../../../../src/service/server/rpcListener';
import { echoRoutes } from '../../../support/echoRoutes';
import { http1Request, openSocket } from '../../../support/rawHttp';
import { RecordingLogger } from '../../../support/recordingLogger';
import { waitUntil } from '../../../support/waitUntil';

const READ = '/viam.app.v1.AppService/GetRobotPart';
const SETTINGS_FRAME = Buffer.from('\0\0\0\x04\0\0\0\0\0', 'latin1');
const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'latin1');
const GOAWAY_FRAME_TYPE = 7;
const BRIEF_MS = 60;
const RESETS = 100;
/** Time limit that is long enough for a first request on a busy computer. */
const FIRST_REQUEST_MS = 2_000;

describe('ConnectionGuard', () => {
  const logger = new RecordingLogger();
  let server: FleetServer;
  let open: (Socket | ClientHttp2Session)[];

  beforeEach(() => {
    logger.lines.length = 0;
    open = [];
  });
  afterEach(async () => {
    for (const connection of open) connection.destroy();
    await server.close();
  });

  async function start(options: Partial<FleetServerOptions>): Promise<void> {
    server = await startFleetServer({
      host: '127.0.0.1',
      port: 0,
      routes: echoRoutes,
      interceptors: [],
      logger,
      ...options,
    });
  }

  async function openConnection(): Promise<Socket> {
    const socket = await openSocket(server.url);
    socket.on('error', () => undefined);
    open.push(socket);
    return socket;
  }

  async function countsLogged(): Promise<unknown[]> {
    for (const connection of open) connection.destroy();
    await server.close();
    return logger.lines
      .filter(({ message }) => message === 'rejected requests')
      .map(({ fields }) => ({ ...fields }));
  }

  for (const [name, limits, reason] of [
    ['per address', { total: 100, perAddress: 2 }, 'tooManyConnectionsOfAddress'],
    ['in total', { total: 2, perAddress: 100 }, 'tooManyConnections'],
  ] as const) {
    it(`closes connections beyond the limit ${name}, until others are closed`, async () => {
      await start({ connectionLimits: limits });
      const [first, second] = [await openConnection(), await openConnection()];
      const surplus = await openConnection();
      if (!surplus.closed) await once(surplus, 'close');
      assert.deepEqual([first.closed, second.closed], [false, false]);
      first.destroy();
      await waitUntil(async () => {
        try {
          return (await http1Request(`${server.url}/`)).status === 404;
        } catch {
          return false;
        }
      });
      const [counts] = await countsLogged();
      assert.ok(Number((counts as Record<string, unknown>)[reason]) >= 1);
    });
  }

  it('closes an HTTP/2 connection without a request', async () => {
    await start({ headTimeoutMs: BRIEF_MS });
    const socket = await openConnection();
    socket.write(Buffer.concat([PREFACE, SETTINGS_FRAME]));
    socket.resume();
    await once(socket, 'close');
    assert.deepEqual(await countsLogged(), [{ noRequest: 1 }]);
  });

  it('does not close an HTTP/2 connection after its first request', async () => {
    await start({ headTimeoutMs: FIRST_REQUEST_MS });
    const session = connect(server.url);
    open.push(session);
    const stream = session.request({ ':path': '/' });
    await once(stream, 'response');
    stream.close();
    const silent = await openConnection();
    // The server closes this connection later than it would close one without a request.
    await once(silent, 'close');
    assert.equal(session.closed, false);
  });

  it('closes a connection that sends settings repeatedly', async () => {
    await start({});
    const socket = await openConnection();
    const received: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => received.push(chunk));
    socket.write(PREFACE);
    for (let count = 0; count < 500; count += 1) socket.write(SETTINGS_FRAME);
    await once(socket, 'close');
    const goaway = readFrames(Buffer.concat(received)).find(([type]) => type === GOAWAY_FRAME_TYPE);
    assert.deepEqual(goaway, [GOAWAY_FRAME_TYPE, constants.NGHTTP2_ENHANCE_YOUR_CALM]);
    assert.deepEqual(await countsLogged(), [{ settingsFlood: 1 }]);
  });

  /** Calls to which the service never responds. */
  const neverAdmit: Admit = () => new Promise(() => undefined);

  async function openSession(): Promise<ClientHttp2Session> {
    const session = connect(server.url);
    session.on('error', () => undefined);
    open.push(session);
    await once(session, 'remoteSettings');
    return session;
  }

  function startCalls(session: ClientHttp2Session, count: number): ClientHttp2Stream[] {
    return Array.from({ length: count }, () =>
      session
        .request({ ':method': 'POST', ':path': READ, 'content-type': 'application/grpc' })
        .on('error', () => undefined),
    );
  }

  it('closes a connection that repeatedly starts and resets calls', async () => {
    await start({ admit: neverAdmit });
    const session = await openSession();
    const codes: number[] = [];
    session.on('goaway', (code: number) => codes.push(code));
    const isClosed = (): boolean => session.closed || session.destroyed;
    const resetCallsUntilClosed = (): boolean => {
      if (isClosed()) return true;
      for (const call of startCalls(session, RESETS)) call.close(constants.NGHTTP2_CANCEL);
      return false;
    };
    await waitUntil(resetCallsUntilClosed, { pollMs: 0 });
    await waitUntil(() => session.destroyed);
    // The client's own writes can fail before it reads the frame, so there can be fewer codes.
    for (const code of codes) assert.equal(code, constants.NGHTTP2_ENHANCE_YOUR_CALM);
    assert.deepEqual(await countsLogged(), [{ resetFlood: 1 }]);
  });

  it('does not close a connection that cancels as many waiting calls as can be open', async () => {
    await start({ admit: neverAdmit });
    const session = await openSession();
    const calls = startCalls(session, session.remoteSettings.maxConcurrentStreams ?? 0);
    const closed = calls.map((call) => once(call, 'close'));
    for (const call of calls) call.close(constants.NGHTTP2_CANCEL);
    await Promise.all(closed);
    // The response arrives after the cancellations were read.
    await new Promise((resolve) => session.ping(resolve));
    assert.deepEqual([calls.length, session.closed, session.destroyed], [1_000, false, false]);
    assert.deepEqual(await countsLogged(), []);
  });

  it('logs what the server rejects in one line, with counts and no content', async () => {
    await start({});
    const client = createClient(AppService, createGrpcTransport({ baseUrl: server.url }));
    for (let count = 0; count < 3; count += 1) {
      await http1Request(server.url + READ, { headers: { host: 'evil.example.com' } });
    }
    await http1Request(server.url + READ, { headers: { origin: 'https://evil.example.com' } });
    await assert.rejects(client.createKey({}), { code: Code.Unimplemented });
    await http1Request(`${server.url}/secret.Service/Guess`);
    assert.deepEqual(await countsLogged(), [
      { foreignHost: 3, foreignOrigin: 1, unknownMethod: 1 },
    ]);
  });
});

/** Returns the types of frames, each with its error code if it has one. */
function readFrames(bytes: Buffer): [number, number?][] {
  const frames: [number, number?][] = [];
  for (let offset = 0; offset + 9 <= bytes.length; offset += 9 + bytes.readUIntBE(offset, 3)) {
    const type = bytes[offset + 3] ?? 0;
    frames.push(type === GOAWAY_FRAME_TYPE ? [type, bytes.readUInt32BE(offset + 13)] : [type]);
  }
  return frames;
}

describe('the limit of connections per address', () => {
  it('counts the addresses of an IPv6 network together', () => {
    const port = { server: new EventEmitter(), http2: new EventEmitter() };
    const rejected: string[] = [];
    const limits = { total: 100, perAddress: 2 };
    const guard = new ConnectionGuard(
      port as unknown as PortListener,
      limits,
      FIRST_REQUEST_MS,
      (reason) => rejected.push(reason),
      new TrustedProxies([]),
    );
    for (const remoteAddress of ['2001:db8::1', '2001:db8::2', '2001:db8::3', '2001:db8:1::1']) {
      const socket = new Socket();
      Object.defineProperty(socket, 'remoteAddress', { value: remoteAddress });
      port.server.emit('connection', socket);
    }
    assert.equal(guard.sockets.size, 3);
    assert.deepEqual(rejected, ['tooManyConnectionsOfAddress']);
    for (const socket of guard.sockets) socket.destroy();
  });
});
