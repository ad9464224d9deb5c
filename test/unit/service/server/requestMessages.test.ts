import assert from 'node:assert/strict';
import { anyUnpack } from '@bufbuild/protobuf/wkt';
import { once } from 'node:events';
import { type ClientHttp2Session, connect, type IncomingHttpHeaders } from 'node:http2';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { create, createRegistry, fromBinary, isMessage, toBinary } from '@bufbuild/protobuf';
import {
  Code,
  ConnectError,
  createClient,
  createContextValues,
  type Transport,
} from '@connectrpc/connect';
import {
  compressionBrotli,
  compressionGzip,
  createConnectTransport,
  createGrpcTransport,
  createGrpcWebTransport,
} from '@connectrpc/connect-node';
import { encodeEnvelope } from '@connectrpc/connect/protocol';
import { LongWork } from '../../../../src/base/longWork';
import { RetryInfoSchema } from '../../../../src/gen/google/rpc/error_details_pb';
import { StatusSchema } from '../../../../src/gen/google/rpc/status_pb';
import {
  DataSyncService,
  FileUploadRequestSchema,
} from '../../../../src/gen/viam/app/datasync/v1/data_sync_pb';
import { UpdateRobotPartRequestSchema } from '../../../../src/gen/viam/app/v1/machine_pb';
import { AppService } from '../../../../src/gen/viam/app/v1/app_pb';
import { FairBudget } from '../../../../src/service/server/fairBudget';
import {
  type FleetServer,
  type FleetServerOptions,
  startFleetServer,
} from '../../../../src/service/server/fleetServer';
import {
  type FindMessageLimit,
  findMessageLimit,
} from '../../../../src/service/server/messageLimits';
import type { Admit } from '../../../../src/service/server/rpcListener';
import type { RequestMemory } from '../../../../src/service/server/callMemory';
import { echoRoutes } from '../../../support/echoRoutes';
import { http1Request, openSocket } from '../../../support/rawHttp';
import { RecordingLogger } from '../../../support/recordingLogger';
import { waitUntil } from '../../../support/waitUntil';

const MEBIBYTE = 1024 * 1024;
const READ = '/viam.app.v1.AppService/GetRobotPart';
const CAPTURE = '/viam.app.datasync.v1.DataSyncService/DataCaptureUpload';
const MAX_VALUES = 1_000_000;
/** Message size at which two messages leave less than a mebibyte of the memory. */
const SLOW_BYTES = 1_400 * 1024;
const BRIEF_MS = 30;
const LONG_MS = 600_000;
const { signal } = new AbortController();

describe('request messages', () => {
  const logger = new RecordingLogger();
  let server: FleetServer;
  let memory: RequestMemory;
  let session: ClientHttp2Session;

  async function start(
    options: Partial<FleetServerOptions> = {},
    maxWaitMs = LONG_MS,
    reclaimAfterMs = LONG_MS,
  ): Promise<void> {
    logger.lines.length = 0;
    const budget = (capacity: number): FairBudget =>
      new FairBudget({ capacity, maxWaitMs, reclaimAfterMs });
    memory = {
      unknown: budget(MEBIBYTE),
      small: budget(MEBIBYTE),
      large: budget(3 * MEBIBYTE),
      values: budget(MAX_VALUES),
      decompressions: budget(1),
    };
    server = await startFleetServer({
      host: '127.0.0.1',
      port: 0,
      routes: echoRoutes,
      interceptors: [],
      logger,
      requestMemory: memory,
      ...options,
    });
    session = connect(server.url);
  }
  afterEach(async () => {
    session.destroy();
    await server.close();
  });

  interface Answer {
    readonly status: string;
    readonly message: string;
    /** Encoded status with the details of the error. */
    readonly details: string;
  }

  interface OpenCall {
    readonly answer: Promise<Answer>;
    send(bytes: Uint8Array): void;
    cancel(): void;
  }

  /** Sends the headers of a message and some of its bytes; doesn't end the request. */
  function begin(
    path: string,
    length: number,
    bytes: Uint8Array,
    { flags = 0, ...headers }: { flags?: number; authorization?: string } = {},
  ): OpenCall {
    const stream = session.request({
      ':method': 'POST',
      ':path': path,
      'content-type': 'application/grpc',
      te: 'trailers',
      'grpc-encoding': 'gzip',
      ...headers,
    });
    let answer: IncomingHttpHeaders = {};
    const take = (headers: IncomingHttpHeaders): void => void (answer = { ...answer, ...headers });
    stream
      .on('response', take)
      .on('trailers', take)
      .on('error', () => undefined);
    stream.resume();
    const head = Buffer.alloc(5, flags);
    head.writeUInt32BE(length, 1);
    stream.write(Buffer.concat([head, bytes]));
    return {
      answer: once(stream, 'close').then(() => ({
        status: Code[Number(answer['grpc-status'])] ?? String(answer['grpc-status']),
        message: decodeURIComponent(String(answer['grpc-message'])),
        details: String(answer['grpc-status-details-bin']),
      })),
      send: (bytes) => void (stream.writable && stream.write(bytes)),
      cancel: () => stream.close(),
    };
  }

  function countsLogged(): Record<string, unknown> {
    const lines = logger.lines.filter(({ message }) => message === 'rejected requests');
    assert.equal(lines.length, 1);
    return { ...lines[0]?.fields };
  }

  /**
   * Returns true if the full capacity of a budget is free; by default, the budget for large
   * messages.
   */
  function hasRoom(budget = memory.large, capacity = 3 * MEBIBYTE): boolean {
    const reservation = budget.tryReserve(capacity, ['test']);
    reservation?.release();
    return reservation !== undefined;
  }

  it('that exceed the size limit of their method are rejected before they arrive', async () => {
    await start();
    const { status, message } = await begin(READ, 5 * MEBIBYTE, Buffer.alloc(9)).answer;
    assert.equal(status, 'ResourceExhausted');
    assert.equal(message, 'GetRobotPart accepts messages of at most 4 MiB, but this one has 5 MiB');
    await server.close();
    assert.deepEqual(countsLogged(), { tooLarge: 1 });
  });

  it('that are too large for JSON get an error that names the other form, and close an HTTP/1.1 connection', async () => {
    await start();
    const socket = await openSocket(server.url);
    let answer = '';
    socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
    socket.on('error', () => undefined);
    socket.write(
      `POST ${CAPTURE} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n` +
        `content-length: ${60 * MEBIBYTE}\r\n\r\n{"x":[`,
    );
    await once(socket, 'close');
    assert.match(answer, /^HTTP\/1\.1 429 [^]*at most 8 MiB[^]*send it in binary form/);
  });

  it('with more values than the limit of their method are rejected before they are parsed', async () => {
    await start();
    const json = { 'content-type': 'application/json' };
    const body = `{"x":[${'{},'.repeat(110_000)}{}]}`;
    const { status, body: text } = await http1Request(server.url + CAPTURE, {
      method: 'POST',
      headers: json,
      body,
    });
    assert.equal(status, 429);
    assert.match(text, /at most 100,000 values in a message of JSON: send it in binary form/);

    // As many empty tags as fit into a message.
    const tags = Buffer.alloc(3 * MEBIBYTE, Buffer.from([0x12, 0x00]));
    const { status: binaryStatus, message } = await begin(CAPTURE, tags.length, tags).answer;
    assert.equal(binaryStatus, 'ResourceExhausted');
    assert.match(message, /at most 1,000,000 values in a message: send several smaller messages/);
    await server.close();
    assert.deepEqual(countsLogged(), { tooManyValues: 2 });
  });

  it('that need quadratic time to parse are rejected', async () => {
    await start();
    const one = toBinary(
      UpdateRobotPartRequestSchema,
      create(UpdateRobotPartRequestSchema, { robotConfig: { a: 1 } }),
    );
    const body = Buffer.concat(Array.from({ length: 1_000 }, () => one));
    const call = begin('/viam.app.v1.AppService/UpdateRobotPart', body.length, body);
    const { status, message } = await call.answer;
    assert.equal(status, 'ResourceExhausted');
    // The message doesn't suggest smaller messages, because a config can't be sent in parts.
    assert.match(message, /at most 250,000 values in a message: send a document with fewer values/);
    await server.close();
    assert.deepEqual(countsLogged(), { tooManyValues: 1 });
  });

  it('that are large are decoded while other calls are served', async () => {
    // Make each step a separate slice, regardless of the computer's speed.
    await start({ longWork: new LongWork({ sliceMs: 0 }) });
    const value = new Uint8Array(300);
    const client = createClient(DataSyncService, createGrpcTransport({ baseUrl: server.url }));
    const small = createClient(AppService, createGrpcTransport({ baseUrl: server.url }));
    await small.getRobotPart({ id: 'connect first' });
    const order: string[] = [];
    const large = client
      .dataCaptureUpload({
        sensorContents: Array.from({ length: 10_000 }, () => ({ data: { case: 'binary', value } })),
      })
      .then(({ binaryDataId }) => order.push(binaryDataId));
    // The message has arrived and is decoded next.
    await waitUntil(() => !hasRoom(memory.values, MAX_VALUES));
    for (const id of ['first', 'second']) {
      order.push((await small.getRobotPart({ id })).configJson);
    }
    await large;
    assert.deepEqual(order, ['first', 'second', '300']);
  });

  it('share the memory: large ones without memory are rejected as retryable, and small ones pass', async () => {
    await start({}, BRIEF_MS);
    const pending = begin(CAPTURE, MEBIBYTE, Buffer.alloc(10));
    await waitUntil(() => !hasRoom());
    const { status, message, details } = await begin(CAPTURE, MEBIBYTE, Buffer.alloc(10)).answer;
    assert.equal(status, 'ResourceExhausted');
    assert.match(message, /busy with other large requests: try again/);
    const { details: packed } = fromBinary(StatusSchema, Buffer.from(details, 'base64'));
    const hint = packed.map((detail) => anyUnpack(detail, createRegistry(RetryInfoSchema)));
    assert.ok(hint.some((info) => isMessage(info, RetryInfoSchema) && info.retryDelay?.seconds));
    const client = createClient(AppService, createGrpcTransport({ baseUrl: server.url }));
    assert.equal((await client.getRobotPart({ id: 'small' })).configJson, 'small');

    pending.cancel();
    await waitUntil(hasRoom);
    await server.close();
    assert.deepEqual(countsLogged(), { noMemory: 1 });
  });

  it('of callers that have not signed in do not delay those of others', async () => {
    const admit: Admit = (_method, { authorization }) =>
      Promise.resolve({
        values: createContextValues(),
        caller: ['test'],
        isKnown: authorization !== undefined,
      });
    await start({ admit }, BRIEF_MS);
    await memory.unknown.reserve(MEBIBYTE, ['test'], signal);
    assert.equal((await begin(READ, 10, Buffer.alloc(10)).answer).status, 'ResourceExhausted');
    const client = createClient(AppService, createGrpcTransport({ baseUrl: server.url }));
    const headers = { authorization: 'Bearer token' };
    assert.equal((await client.getRobotPart({ id: 'known' }, { headers })).configJson, 'known');
  });

  it('that arrive slowly are aborted when others wait for the memory', async () => {
    const admit: Admit = (_method, { authorization = '' }) =>
      Promise.resolve({ values: createContextValues(), caller: [authorization], isKnown: true });
    await start({ admit }, LONG_MS, BRIEF_MS);
    const slow = ['a', 'b'].map((authorization) =>
      begin(CAPTURE, SLOW_BYTES, Buffer.alloc(10), { authorization }),
    );
    await waitUntil(() => !hasRoom(memory.large, MEBIBYTE));

    const sync = createClient(DataSyncService, createGrpcTransport({ baseUrl: server.url }));
    const binary = Buffer.alloc(MEBIBYTE);
    const { binaryDataId } = await sync.dataCaptureUpload(
      { sensorContents: [{ data: { case: 'binary', value: binary } }] },
      { headers: { authorization: 'c' } },
    );
    assert.equal(binaryDataId, String(MEBIBYTE));
    const { status, message } = await Promise.race(slow.map(({ answer }) => answer));
    assert.equal(status, 'DeadlineExceeded');
    assert.match(
      message,
      /is arriving too slowly while others wait .*: try again with smaller messages/,
    );
    slow.forEach((call) => call.cancel());
    await server.close();
    assert.deepEqual(countsLogged(), { slowBody: 1 });
  });

  it('that are compressed count with their maximum decompressed size', async () => {
    const findLimit: FindMessageLimit = (method) => ({
      ...findMessageLimit(method),
      bytes: 2 * MEBIBYTE,
    });
    await start({ findLimit }, BRIEF_MS);
    const taken = await memory.large.reserve(MEBIBYTE, ['test'], signal);
    const bomb = gzipSync(Buffer.alloc(3 * MEBIBYTE));
    assert.equal(
      (await begin(CAPTURE, bomb.length, bomb, { flags: 1 }).answer).status,
      'ResourceExhausted',
    );
    taken?.release();
    const { status, message } = await begin(CAPTURE, bomb.length, bomb, { flags: 1 }).answer;
    assert.equal(status, 'ResourceExhausted');
    assert.match(message, /accepts compressed messages of at most 2 MiB$/);
    await waitUntil(hasRoom);
    await server.close();
    assert.deepEqual(countsLogged(), { noMemory: 1, tooLarge: 1 });
  });

  it('that are compressed have a lower limit, and get an error that suggests no compression', async () => {
    await start();
    const bomb = gzipSync(Buffer.alloc(17 * MEBIBYTE));
    const { status, message } = await begin(CAPTURE, bomb.length, bomb, { flags: 1 }).answer;
    assert.equal(status, 'ResourceExhausted');
    assert.match(message, /at most 16 MiB: send larger messages without compression/);
    await waitUntil(hasRoom);
    const notGzip = Buffer.alloc(100, 'x');
    assert.equal((await begin(READ, 100, notGzip, { flags: 1 }).answer).status, 'InvalidArgument');
  });

  it('that are compressed are decompressed one at a time', async () => {
    const findLimit: FindMessageLimit = (method) => ({
      ...findMessageLimit(method),
      bytes: MEBIBYTE,
    });
    await start({ findLimit });
    const slot = memory.decompressions.tryReserve(1, ['test']);
    const text = gzipSync(Buffer.alloc(100, 0xff));
    const { answer } = begin(READ, text.length, text, { flags: 1 });
    await waitUntil(() => memory.decompressions.tryReserve(0, ['test']) === undefined);
    slot?.release();
    await answer;
    assert.ok(memory.decompressions.tryReserve(1, ['test']));
  });

  it('that are compressed are decompressed at a limited rate', async () => {
    await start();
    const client = createClient(
      DataSyncService,
      createGrpcTransport({ baseUrl: server.url, ...options(compressionGzip) }),
    );
    const value = new Uint8Array(4 * MEBIBYTE);
    const startedAt = performance.now();
    for (let count = 0; count < 3; count += 1) {
      await client.dataCaptureUpload({ sensorContents: [{ data: { case: 'binary', value } }] });
    }
    // The last one doesn't wait for its own rest.
    assert.ok(performance.now() - startedAt >= 490);
  });

  it('that are compressed with a wrong size at their end are rejected', async () => {
    await start();
    const text = gzipSync(Buffer.alloc(100));
    for (const size of [0, 0xffffffff]) {
      text.writeUInt32LE(size, text.length - 4);
      const { status, message } = await begin(READ, text.length, text, { flags: 1 }).answer;
      assert.equal(status, 'InvalidArgument');
      assert.match(message, /can't be decompressed/);
    }
  });

  it('that are compressed in several parts are decompressed', async () => {
    await start();
    const compress = (bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer>> =>
      Promise.resolve(
        Buffer.concat([gzipSync(bytes.subarray(0, -1)), gzipSync(bytes.subarray(-1))]),
      );
    const transport = createGrpcTransport({
      baseUrl: server.url,
      sendCompression: { ...compressionGzip, compress },
      compressMinBytes: 1,
    });
    const client = createClient(AppService, transport);
    assert.equal((await client.getRobotPart({ id: 'part' })).configJson, 'part');
  });

  const FILE = '/viam.app.datasync.v1.DataSyncService/FileUpload';
  /** Field 1 with a length that exceeds the message. */
  const truncated = Buffer.from([0x0a, 0x05, 0x61]);

  for (const [contentType, path] of [
    ['application/grpc', READ],
    ['application/grpc', FILE],
    ['application/grpc-web+proto', READ],
    ['application/proto', READ],
    ['application/connect+proto', FILE],
  ] as const) {
    it(`that can't be decoded are rejected with the reason, over ${contentType} to ${path}`, async () => {
      await start();
      const isUnary = contentType === 'application/proto';
      const stream = session.request({
        ':method': 'POST',
        ':path': path,
        'content-type': contentType,
      });
      let answer: IncomingHttpHeaders = {};
      const take = (headers: IncomingHttpHeaders): void =>
        void (answer = { ...answer, ...headers });
      stream.on('response', take).on('trailers', take);
      stream.end(isUnary ? truncated : encodeEnvelope(0, truncated));
      const body = decodeURIComponent(await text(stream));
      const answered = `${decodeURIComponent(String(answer['grpc-message']))} ${body}`;
      const type = path === READ ? 'viam.app.v1.GetRobotPart' : 'viam.app.datasync.v1.FileUpload';
      assert.match(
        answered,
        new RegExp(`can't be decoded as ${type}Request \\(premature EOF\\): check that`),
      );
      assert.match(
        `${String(answer['grpc-status'])} ${body}`,
        /^3 |grpc-status: 3|"code":"invalid_argument"/,
      );
    });
  }

  for (const [contentType, flag] of [
    ['application/grpc-web+proto', 0x80],
    ['application/connect+proto', 0x02],
  ] as const) {
    it(`with the flag of the end of a stream are not part of an upload, over ${contentType}`, async () => {
      await start();
      const stream = session.request({
        ':method': 'POST',
        ':path': FILE,
        'content-type': contentType,
      });
      for (const flags of [0, flag]) {
        const data = new Uint8Array(32 * 1024);
        const uploadPacket = { case: 'fileContents', value: { data } } as const;
        const message = create(FileUploadRequestSchema, { uploadPacket });
        stream.write(encodeEnvelope(flags, toBinary(FileUploadRequestSchema, message)));
      }
      stream.end();
      assert.match(await text(stream), /32768/);
    });
  }

  const transports: Record<string, (compression: typeof compressionGzip) => Transport> = {
    gRPC: (sendCompression) =>
      createGrpcTransport({ baseUrl: server.url, ...options(sendCompression) }),
    'gRPC-web': (sendCompression) =>
      createGrpcWebTransport({
        baseUrl: server.url,
        httpVersion: '1.1',
        ...options(sendCompression),
      }),
    Connect: (sendCompression) =>
      createConnectTransport({
        baseUrl: server.url,
        httpVersion: '2',
        ...options(sendCompression),
      }),
  };
  const options = (sendCompression: typeof compressionGzip) => ({
    sendCompression,
    compressMinBytes: 1,
  });

  for (const [name, createTransport] of Object.entries(transports)) {
    it(`are decompressed over ${name}`, async () => {
      await start();
      for (const compression of [compressionGzip, compressionBrotli]) {
        const transport = createTransport(compression);
        const { configJson } = await createClient(AppService, transport).getRobotPart({
          id: 'part',
        });
        assert.equal(configJson, 'part');
        const value = new Uint8Array(100_000);
        const { binaryDataId } = await createClient(DataSyncService, transport).dataCaptureUpload({
          sensorContents: [{ data: { case: 'binary', value } }],
        });
        assert.equal(binaryDataId, '100000');
      }
    });
  }

  it('that are chunks of a file are split into small messages, regardless of their size', async () => {
    await start({}, BRIEF_MS);
    await memory.large.reserve(3 * MEBIBYTE, ['test'], signal);
    const client = createClient(DataSyncService, createGrpcTransport({ baseUrl: server.url }));
    const data = new Uint8Array(5 * MEBIBYTE);
    async function* file() {
      yield await Promise.resolve({ uploadPacket: { case: 'metadata' as const, value: {} } });
      yield { uploadPacket: { case: 'fileContents' as const, value: { data } } };
      yield {
        uploadPacket: { case: 'fileContents' as const, value: { data: data.subarray(0, 7) } },
      };
    }
    const { binaryDataId } = await client.fileUpload(file());
    assert.equal(binaryDataId, String(5 * MEBIBYTE + 7));
    await assert.rejects(
      client.dataCaptureUpload({ sensorContents: [{ data: { case: 'binary', value: data } }] }),
      (error) => error instanceof ConnectError && error.code === Code.ResourceExhausted,
    );
  });

  const slow = { minBytesPerSecond: 1_000_000, idleMs: LONG_MS };

  it('that stop arriving are aborted', async () => {
    await start({ bodyTimeouts: { ...slow, progressMs: BRIEF_MS, messageMs: LONG_MS } });
    const answers = [
      begin(READ, 100, Buffer.alloc(10)).answer,
      // A complete message, but the request doesn't end.
      begin(READ, 0, Buffer.alloc(0)).answer,
    ];
    for (const { status, message } of await Promise.all(answers)) {
      assert.equal(status, 'DeadlineExceeded');
      assert.match(message, /is arriving too slowly/);
    }
    await server.close();
    assert.deepEqual(countsLogged(), { slowBody: 2 });
  });

  it('that arrive too slowly as a whole are aborted', async () => {
    await start({ bodyTimeouts: { ...slow, progressMs: LONG_MS, messageMs: BRIEF_MS } });
    const call = begin(READ, 1_000, Buffer.alloc(1));
    const trickle = setInterval(() => call.send(Buffer.alloc(1)), 5);
    const { status, message } = await call.answer;
    clearInterval(trickle);
    assert.equal(status, 'DeadlineExceeded');
    assert.match(message, /is arriving too slowly/);
  });
});
