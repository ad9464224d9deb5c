import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, constants } from 'node:http2';
import { text } from 'node:stream/consumers';
import { Code, ConnectError, createClient } from '@connectrpc/connect';
import { createConnectTransport, createGrpcTransport } from '@connectrpc/connect-node';
import { AppService } from '../../../../src/gen/viam/app/v1/app_pb';
import { type FleetServer, startFleetServer } from '../../../../src/service/server/fleetServer';
import type { HttpRequest, HttpRoute } from '../../../../src/service/server/http';
import { echoRoutes, LARGE_PART } from '../../../support/echoRoutes';
import { http1Request, openSocket, writeSlowly } from '../../../support/rawHttp';
import { RecordingLogger } from '../../../support/recordingLogger';
import { waitUntil } from '../../../support/waitUntil';

const PATH = '/viam.app.v1.AppService/GetRobotPart';
const HTTP2_PREFACE = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';
const EMPTY_SETTINGS_FRAME = '\0\0\0\x04\0\0\0\0\0';
const SETTINGS_FRAME_TYPE = 4;

/** Maximum time for closing the server if no connections have to be destroyed. */
const PROMPT_MS = 4_500;
const LONGER_THAN_NO_TIME_MS = 50;
const COMPRESSIBLE_LENGTH = 100_000;

describe('the fleet server', () => {
  const logger = new RecordingLogger();
  let server: FleetServer;
  let waiting: PromiseWithResolvers<HttpRequest>;

  const plainRoute: HttpRoute = (request, response) => {
    if (request.url === '/waits') {
      waiting.resolve(request);
      return true;
    }
    if (request.url === '/throws') throw new Error('inner words');
    if (request.url !== '/plain') return false;
    response.end('plain');
    return true;
  };

  beforeEach(async () => {
    logger.lines.length = 0;
    waiting = Promise.withResolvers();
    server = await startFleetServer({
      host: '127.0.0.1',
      port: 0,
      routes: echoRoutes,
      httpRoutes: [plainRoute],
      interceptors: [],
      logger,
    });
  });
  afterEach(() => server.close());

  it('serves an HTTP/1.1 request that arrives byte by byte', async () => {
    const body = '{"id":"slow"}';
    const socket = await openSocket(server.url);
    const answer = text(socket);
    await writeSlowly(
      socket,
      `POST ${PATH} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n` +
        `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    );
    assert.match(await answer, /^HTTP\/1\.1 200 OK\r\n[^]*"configJson":"slow"/);
  });

  it('quotes only the beginning of a long path or host name', async () => {
    const path = `/${'x'.repeat(5_000)}`;
    const unknown = await http1Request(server.url + path);
    assert.ok(unknown.body.startsWith('unimplemented: /xxx') && unknown.body.length < 400);
    const foreign = await http1Request(server.url, { headers: { host: `h${path.slice(1)}` } });
    assert.match(foreign.body, /^The host name "hx+…" is not allowed/);
    assert.ok(foreign.body.length < 400);
    await waitUntil(() => logger.lines.some(({ message }) => message === 'call'));
    const { fields } = logger.lines.find(({ message }) => message === 'call') ?? assert.fail();
    assert.ok(String(fields.method).length < 300);
  });

  it('does not close an HTTP/1.1 connection whose body arrives after its head', async () => {
    const socket = await openSocket(server.url);
    const body = '{"id":"kept"}';
    const head = `POST ${PATH} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n`;
    for (let call = 0; call < 2; call += 1) {
      socket.write(`${head}content-length: ${body.length}\r\n\r\n`);
      await new Promise((resolve) => setTimeout(resolve, LONGER_THAN_NO_TIME_MS));
      socket.write(body);
      const [answer] = (await once(socket, 'data')) as [Buffer];
      assert.match(answer.toString(), /^HTTP\/1\.1 200 OK\r\n/);
      assert.doesNotMatch(answer.toString(), /connection: close/i);
    }
    socket.destroy();
  });

  it('serves HTTP/2 when the preface arrives byte by byte', async () => {
    const socket = await openSocket(server.url);
    await writeSlowly(socket, HTTP2_PREFACE + EMPTY_SETTINGS_FRAME);
    const [frame] = (await once(socket, 'data')) as [Buffer];
    assert.equal(frame[3], SETTINGS_FRAME_TYPE);
    socket.destroy();
  });

  it('returns 400 for bytes that only begin like HTTP/2', async () => {
    const socket = await openSocket(server.url);
    socket.write('PRI * HTTP/2.0\r\n\r\nXX\r\n\r\n');
    assert.match(await text(socket), /^HTTP\/1\.1 400 /);
  });

  it('serves a client that ends its half of the connection after the request', async () => {
    const socket = await openSocket(server.url);
    socket.end('GET /plain HTTP/1.1\r\nhost: localhost\r\n\r\n');
    assert.match(await text(socket), /plain$/);
  });

  it('serves plain routes first, and returns 404 for unknown paths', async () => {
    assert.equal((await http1Request(`${server.url}/plain`)).body, 'plain');
    assert.equal((await http1Request(`${server.url}/nowhere`)).status, 404);
  });

  it('writes the messages of errors in plain routes only to the log', async () => {
    const { status, body } = await http1Request(`${server.url}/throws`);
    assert.equal(status, 500);
    assert.match(body, /^internal error \(ID [0-9a-f]{16}\)\n$/);
    assert.match(String(logger.lines[0]?.fields.error), /inner words/);
  });

  it('disconnects clients that never start a protocol or never end a head', async () => {
    const impatient = await startFleetServer({
      host: '127.0.0.1',
      port: 0,
      routes: echoRoutes,
      interceptors: [],
      headTimeoutMs: 100,
      logger,
    });
    const [silent, begun, headless] = await Promise.all([
      openSocket(impatient.url),
      openSocket(impatient.url),
      openSocket(impatient.url),
    ]);
    begun.write(HTTP2_PREFACE.slice(0, 5));
    headless.write('GET /plain HTTP/1.1\r\nhost: localhost\r\nx-more:');
    assert.deepEqual(await Promise.all([text(silent), text(begun)]), ['', '']);
    assert.match(await text(headless), /^HTTP\/1\.1 408 /);
    await impatient.close();
  });

  it('ends the calls of an HTTP/2 client that silently disconnects', async () => {
    const session = connect(server.url);
    const call = session.request({ ':path': '/waits', ':method': 'POST' });
    call.on('error', () => undefined);
    call.write('a part of it');
    const request = await waiting.promise;
    session.destroy();
    await once(request, 'close');
  });

  it('closes immediately when connections are silent or idle', async () => {
    const silent = await openSocket(server.url);
    const begun = await openSocket(server.url);
    begun.write(HTTP2_PREFACE.slice(0, 5));
    const http1 = createClient(
      AppService,
      createConnectTransport({ baseUrl: server.url, httpVersion: '1.1' }),
    );
    const http2 = createClient(AppService, createGrpcTransport({ baseUrl: server.url }));
    await Promise.all([http1.getRobotPart({}), http2.getRobotPart({})]);

    const start = performance.now();
    await Promise.all([server.close(), once(silent, 'close'), once(begun, 'close')]);
    assert.ok(performance.now() - start < PROMPT_MS);
  });

  it('ends open streams as unavailable when it stops, and closes', async () => {
    const client = createClient(AppService, createGrpcTransport({ baseUrl: server.url }));
    const stream = client.tailRobotPartLogs({ filter: 'follow' });
    let closing: Promise<void> | undefined;
    const start = performance.now();
    await assert.rejects(
      async () => {
        for await (const { logs } of stream) {
          assert.equal(logs[0]?.message, 'first');
          closing = server.close();
        }
      },
      (error) => error instanceof ConnectError && error.code === Code.Unavailable,
    );
    await closing;
    assert.ok(performance.now() - start < PROMPT_MS);
  });

  for (const [protocol, header, timeout, transport] of [
    ['gRPC', 'grpc-timeout', '99999999H', createGrpcTransport],
    ['Connect', 'connect-timeout-ms', '9999999999', createConnectTransport],
  ] as const) {
    it(`ignores a ${protocol} timeout of many years`, async () => {
      const client = createClient(AppService, transport({ baseUrl: server.url, httpVersion: '2' }));
      const abort = new AbortController();
      const stream = client.tailRobotPartLogs(
        { filter: 'follow' },
        { headers: { [header]: timeout }, signal: abort.signal },
      );
      await assert.rejects(
        async () => {
          for await (const { logs } of stream) {
            assert.equal(logs[0]?.message, 'first');
            setTimeout(() => {
              abort.abort();
            }, LONGER_THAN_NO_TIME_MS);
          }
        },
        (error) => error instanceof ConnectError && error.code === Code.Canceled,
      );
    });
  }

  /** Returns the code of the first call in the log. */
  async function findCode(): Promise<unknown> {
    const find = () => logger.lines.find(({ message }) => message === 'call');
    await waitUntil(() => find() !== undefined);
    return find()?.fields.code;
  }

  it('records a call as canceled if its client closes the connection during the response', async () => {
    const socket = await openSocket(server.url);
    const body = JSON.stringify({ id: LARGE_PART });
    socket.write(
      `POST ${PATH} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n` +
        `content-length: ${body.length}\r\n\r\n${body}`,
    );
    await once(socket, 'data');
    socket.destroy();
    assert.equal(await findCode(), 'Canceled');
  });

  it('records a call as canceled if its client resets the stream without an error', async () => {
    const session = connect(server.url);
    const stream = session.request({
      ':method': 'POST',
      ':path': '/viam.app.v1.AppService/TailRobotPartLogs',
      'content-type': 'application/connect+json',
    });
    const message = JSON.stringify({ filter: 'follow' });
    stream.end(Buffer.concat([Buffer.from([0, 0, 0, 0, message.length]), Buffer.from(message)]));
    await once(stream, 'data');
    stream.close(constants.NGHTTP2_NO_ERROR);
    assert.equal(await findCode(), 'Canceled');
    session.close();
  });

  for (const [protocol, transport] of [
    ['gRPC over HTTP/2', createGrpcTransport],
    ['Connect over HTTP/1.1', createConnectTransport],
  ] as const) {
    it(`records a call of ${protocol} as canceled if its client ends it`, async () => {
      const httpVersion = protocol.endsWith('2') ? '2' : '1.1';
      const client = createClient(AppService, transport({ baseUrl: server.url, httpVersion }));
      const abort = new AbortController();
      const stream = client.tailRobotPartLogs({ filter: 'follow' }, { signal: abort.signal });
      const messages = stream[Symbol.asyncIterator]();
      await messages.next();
      abort.abort();
      await assert.rejects(messages.next());
      assert.equal(await findCode(), 'Canceled');
    });

    it(`records a call of ${protocol} whose stream ends as successful`, async () => {
      const httpVersion = protocol.endsWith('2') ? '2' : '1.1';
      const client = createClient(AppService, transport({ baseUrl: server.url, httpVersion }));
      for await (const { logs } of client.tailRobotPartLogs({})) assert.equal(logs.length, 1);
      await client.getRobotPart({ id: 'part' });
      const calls = () => logger.lines.filter(({ message }) => message === 'call');
      await waitUntil(() => calls().length === 2);
      assert.deepEqual(
        calls().map(({ fields }) => fields.code),
        ['Ok', 'Ok'],
      );
    });
  }

  it('rejects an unknown encoding, even with the name of a property of `Object.prototype`', async () => {
    for (const encoding of ['unknown', 'constructor', 'toString', '__proto__']) {
      const { status, body } = await http1Request(server.url + PATH, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'content-encoding': encoding },
        body: '{"id":"part"}',
      });
      assert.equal(status, 501, encoding);
      assert.match(body, /unknown compression/, encoding);
    }
  });

  it('does not compress a response even if the client accepts it', async () => {
    const id = 'a'.repeat(COMPRESSIBLE_LENGTH);
    const response = await fetch(`${server.url}${PATH}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'accept-encoding': 'gzip, br' },
      body: JSON.stringify({ id }),
    });
    assert.equal(response.headers.get('content-encoding'), null);
    assert.match(await response.text(), /"configJson":"a+"/);
  });

  it('accepts no new connections after close', async () => {
    const { url } = server;
    await server.close();
    await assert.rejects(openSocket(url), { code: 'ECONNREFUSED' });
  });

  it('fails with the system error when the port is used', async () => {
    const port = Number(new URL(server.url).port);
    await assert.rejects(
      startFleetServer({ host: '127.0.0.1', port, routes: echoRoutes, interceptors: [], logger }),
      { code: 'EADDRINUSE' },
    );
  });
});
