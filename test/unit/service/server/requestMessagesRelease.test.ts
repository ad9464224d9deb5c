import assert from 'node:assert/strict';
import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request,
  type Server,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { create, type DescMethod, toBinary } from '@bufbuild/protobuf';
import { Code, ConnectError } from '@connectrpc/connect';
import {
  DataSyncService,
  type FileUploadRequest,
  FileUploadRequestSchema,
} from '../../../../src/gen/viam/app/datasync/v1/data_sync_pb';
import type { DecodedMessage } from '../../../../src/service/server/decodeMessage';
import { LongWork } from '../../../../src/base/longWork';
import { FairBudget } from '../../../../src/service/server/fairBudget';
import { findMessageLimit } from '../../../../src/service/server/messageLimits';
import { RequestMessages } from '../../../../src/service/server/requestMessages';
import { waitUntil } from '../../../support/waitUntil';

const { dataCaptureUpload, fileUpload } = DataSyncService.method;
const LONG_MS = 600_000;
const CAPACITY = 64 * 1024 * 1024;
const MANY_VALUES = Buffer.from(`{"x":[${'{},'.repeat(8_000)}{}]}`);
const { signal } = new AbortController();

describe('RequestMessages.release', () => {
  const budget = (): FairBudget =>
    new FairBudget({ capacity: CAPACITY, maxWaitMs: LONG_MS, reclaimAfterMs: LONG_MS });
  let memory: {
    readonly small: FairBudget;
    readonly large: FairBudget;
    readonly values: FairBudget;
    readonly decompressions: FairBudget;
  };
  let server: Server;

  beforeEach(async () => {
    memory = { small: budget(), large: budget(), values: budget(), decompressions: budget() };
    server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  /** Sends a request; returns it as received by the server, with the reader of its messages. */
  async function receive(
    method: DescMethod,
    headers: OutgoingHttpHeaders,
    body: Uint8Array,
  ): Promise<{ incoming: IncomingMessage; messages: RequestMessages }> {
    const { port } = server.address() as AddressInfo;
    const outgoing = request({ host: '127.0.0.1', port, method: 'POST', headers });
    outgoing.on('error', () => undefined).end(body);
    const [incoming] = (await once(server, 'request')) as [IncomingMessage];
    return { incoming, messages: prepare(method, incoming) };
  }

  function prepare(
    method: DescMethod,
    incoming: IncomingMessage,
    handOver: (message: DecodedMessage) => void = () => undefined,
  ): RequestMessages {
    const messages = RequestMessages.prepare(incoming, {
      method,
      memory,
      limit: findMessageLimit(method),
      caller: ['test'],
      countRejection: (reason) => assert.fail(reason),
      handOver,
      longWork: new LongWork(),
    });
    assert.ok(messages);
    return messages;
  }

  function assertAllFree(): void {
    for (const [name, each] of Object.entries(memory)) {
      const all = each.tryReserve(CAPACITY, ['another caller']);
      assert.ok(all, `memory for ${name} is still reserved`);
    }
  }

  function isCanceled(error: unknown): boolean {
    return ConnectError.from(error).code === Code.Canceled;
  }

  it('leaves nothing reserved when the call ends during decompression', async () => {
    const { incoming, messages } = await receive(
      dataCaptureUpload,
      { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      gzipSync(MANY_VALUES),
    );
    // Decompression runs outside the event loop, and starts when the body has been read.
    incoming.once('end', () => messages.release());
    await assert.rejects(messages.read(signal).next(), isCanceled);
    assertAllFree();
  });

  it('leaves nothing reserved when the call ends in the tick in which it gets memory', async () => {
    const taken = memory.large.tryReserve(CAPACITY, ['another caller']);
    const { messages } = await receive(
      dataCaptureUpload,
      { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      gzipSync(MANY_VALUES),
    );
    const reading = assert.rejects(messages.read(signal).next(), isCanceled);
    // While the call waits for memory, other callers can't reserve any without waiting.
    await waitUntil(() => memory.large.tryReserve(0, ['another caller']) === undefined);
    taken?.release();
    messages.release();
    await reading;
    assertAllFree();
  });

  it('leaves nothing reserved when a stream is read further after its call has ended', async () => {
    const message = Buffer.from([0, 0, 0, 0, 2, ...Buffer.from('{}')]);
    const { messages } = await receive(
      fileUpload,
      { 'content-type': 'application/connect+json' },
      Buffer.concat([message, message]),
    );
    const stream = messages.read(signal);
    assert.equal((await stream.next()).done, false);
    messages.release();
    await assert.rejects(stream.next(), isCanceled);
    assertAllFree();
  });

  it('reserves no memory for a signal that has aborted during decompression', async () => {
    const controller = new AbortController();
    const { incoming, messages } = await receive(
      dataCaptureUpload,
      { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      gzipSync(MANY_VALUES),
    );
    incoming.once('end', () => controller.abort());
    await assert.rejects(messages.read(controller.signal).next(), { name: 'AbortError' });
    assert.ok(memory.values.tryReserve(CAPACITY, ['another caller']));
  });

  /** Returns the bytes of a message with content in an upload stream. */
  function frameContent(data: Uint8Array): Buffer {
    const content = create(FileUploadRequestSchema, {
      uploadPacket: { case: 'fileContents', value: { data } },
    });
    const bytes = toBinary(FileUploadRequestSchema, content);
    const head = Buffer.alloc(5);
    head.writeUInt32BE(bytes.length, 1);
    return Buffer.concat([head, bytes]);
  }

  /** Returns a body to write to, the contents that are passed on, and the reader of the body. */
  function receiveUpload() {
    const incoming = Object.assign(new PassThrough({ highWaterMark: CAPACITY }), {
      headers: { 'content-type': 'application/grpc+proto' },
    });
    const parts: Uint8Array[] = [];
    const messages = prepare(fileUpload, incoming as unknown as IncomingMessage, ({ message }) => {
      const { uploadPacket } = message as FileUploadRequest;
      assert.ok(uploadPacket.case === 'fileContents');
      parts.push(uploadPacket.value.data);
    });
    return { incoming, parts, reading: messages.read(signal) };
  }

  it('does not retain the packets in which small parts of a content arrived', async () => {
    const data = Uint8Array.from({ length: 20_000 }, (_, index) => index);
    const body = frameContent(data);
    const { incoming, parts, reading } = receiveUpload();
    const ends = [100, 110, body.length];
    for (const [index, end] of ends.entries()) {
      const packet = Buffer.alloc(65_536);
      const part = packet.subarray(0, body.copy(packet, 0, ends[index - 1] ?? 0, end));
      incoming.write(part);
      assert.equal((await reading.next()).done, false);
    }
    assert.deepEqual(Buffer.concat(parts), Buffer.from(data));
    const [first, second, third] = parts.map(({ buffer }) => buffer.byteLength);
    assert.deepEqual([first, second, third], [parts[0]?.length, parts[1]?.length, 65_536]);
  });

  it('passes on the contents of several messages together, up to 256 KiB', async () => {
    const contents = Array.from({ length: 20 }, (_, index) => Buffer.alloc(20_000, index));
    const { incoming, parts, reading } = receiveUpload();
    for (const content of contents) incoming.write(frameContent(content));
    incoming.end();
    let envelopes = 0;
    for await (const envelope of reading) {
      assert.deepEqual([...envelope], [0, 0, 0, 0, 0]);
      envelopes += 1;
    }
    assert.ok(Buffer.concat(parts).equals(Buffer.concat(contents)));
    assert.deepEqual(
      parts.map(({ length }) => length),
      [262_144, 137_856],
    );
    assert.equal(envelopes, parts.length);
  });

  it('is canceled, rather than failed, if the caller disconnects in the middle', async () => {
    const { incoming, parts, reading } = receiveUpload();
    incoming.write(frameContent(Buffer.alloc(20_000)).subarray(0, 19_000));
    assert.equal((await reading.next()).done, false);
    const next = reading.next();
    incoming.destroy();
    await assert.rejects(next, isCanceled);
    assert.equal(parts.length, 1);
  });

  it('does not queue any number of tiny packets while nothing is read', async () => {
    const data = Uint8Array.from({ length: 20_000 }, (_, index) => index);
    const body = frameContent(data);
    const { incoming, parts, reading } = receiveUpload();
    incoming.write(body.subarray(0, 1000));
    assert.equal((await reading.next()).done, false);
    const tiny = [...body.subarray(1000, 11_000)];
    for (const byte of tiny) incoming.write(Buffer.from([byte]));
    await new Promise(setImmediate);
    assert.ok(incoming.readableLength > 9000, String(incoming.readableLength));
    incoming.end(body.subarray(11_000));
    while ((await reading.next()).done !== true);
    assert.ok(Buffer.concat(parts).equals(data));
  });
});
