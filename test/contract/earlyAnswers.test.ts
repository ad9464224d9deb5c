import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type ClientHttp2Session, type IncomingHttpHeaders } from 'node:http2';
import { connect as connectSocket } from 'node:net';
import { text } from 'node:stream/consumers';
import { create, toBinary } from '@bufbuild/protobuf';
import { Code, createClient } from '@connectrpc/connect';
import { encodeEnvelope } from '@connectrpc/connect/protocol';
import { DataType, FileUploadRequestSchema } from '../../src/gen/viam/app/datasync/v1/data_sync_pb';
import { AuthService } from '../../src/gen/proto/rpc/v1/auth_pb';
import { type HttpFleet, openHttpFleet } from '../support/httpFleet';
import { openSocket } from '../support/rawHttp';

const UPLOAD = '/viam.app.datasync.v1.DataSyncService/FileUpload';
const LIST = '/viam.app.v1.AppService/ListOrganizations';
const UNKNOWN = '/viam.app.v1.AppService/DoNothing';
const CHUNK = Buffer.alloc(64 * 1024);

interface ReceivedResponse {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

describe('responses before a request was read', () => {
  let fleet: HttpFleet;
  let session: ClientHttp2Session;

  before(async () => {
    fleet = await openHttpFleet();
  });
  after(() => fleet.close());
  beforeEach(() => {
    session = connect(fleet.url);
  });
  afterEach(() => session.destroy());

  async function signIn(): Promise<string> {
    const { accessToken } = await createClient(AuthService, fleet.wire()).authenticate({
      entity: fleet.key.id,
      credentials: { type: 'api-key', payload: fleet.key.secret },
    });
    return `Bearer ${accessToken}`;
  }

  /** Sends `first`, then more data for as long as the stream is open. Never ends the request. */
  async function sendWithoutEnd(
    headers: Record<string, string>,
    first: Uint8Array = CHUNK,
  ): Promise<ReceivedResponse> {
    const stream = session.request({ ':method': 'POST', ...headers });
    let answer: IncomingHttpHeaders = {};
    const chunks: Buffer[] = [];
    stream.on('error', () => undefined);
    stream.on('response', (received: IncomingHttpHeaders) => (answer = { ...answer, ...received }));
    stream.on('trailers', (received: IncomingHttpHeaders) => (answer = { ...answer, ...received }));
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    const more = (): void => {
      if (!stream.destroyed && stream.writable) stream.write(CHUNK, more);
    };
    stream.write(first, more);
    await once(stream, 'close');
    return { headers: answer, body: Buffer.concat(chunks).toString('latin1') };
  }

  const types = {
    grpc: 'application/grpc',
    grpcWeb: 'application/grpc-web+proto',
    connect: 'application/proto',
    connectStream: 'application/connect+proto',
  } as const;

  function assertCode(
    { headers, body }: ReceivedResponse,
    type: keyof typeof types,
    code: Code,
  ): void {
    const name = Code[code].toLowerCase();
    if (type === 'grpc' || type === 'grpcWeb') assert.equal(headers['grpc-status'], String(code));
    else assert.match(body, new RegExp(`"code":"${name}"`));
    assert.equal(headers['content-type'], type === 'connect' ? 'application/json' : types[type]);
  }

  for (const type of ['grpc', 'grpcWeb', 'connect', 'connectStream'] as const) {
    it(`report missing credentials, over ${types[type]}`, async () => {
      const path = type === 'connectStream' ? UPLOAD : LIST;
      const headers = { ':path': path, 'content-type': types[type] };
      assertCode(await sendWithoutEnd(headers), type, Code.Unauthenticated);
      const authorization = 'Bearer forged';
      assertCode(await sendWithoutEnd({ ...headers, authorization }), type, Code.Unauthenticated);
    });

    it(`report an unknown method, over ${types[type]}`, async () => {
      const headers = { ':path': UNKNOWN, 'content-type': types[type] };
      assertCode(await sendWithoutEnd(headers), type, Code.Unimplemented);
    });
  }

  it('report missing credentials over HTTP/1.1, and close the connection', async () => {
    const socket = await openSocket(fleet.url);
    let answer = '';
    socket.on('data', (chunk: Buffer) => (answer += chunk.toString('latin1')));
    socket.on('error', () => undefined);
    socket.write(
      `POST ${LIST} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n` +
        'content-length: 60000000\r\n\r\n{"x":[',
    );
    await once(socket, 'close');
    assert.match(answer, /^HTTP\/1\.1 401 [^]*"code":"unauthenticated"/);
  });

  /**
   * Sends a whole request over HTTP/1.1, and reads the response only after the whole request was
   * sent.
   */
  async function sendBeforeReading(head: string, bodyBytes: number): Promise<string> {
    const socket = await openSocket(fleet.url);
    socket.write(`${head}content-length: ${bodyBytes}\r\n\r\n`);
    for (let left = bodyBytes; left > 0; left -= CHUNK.length) {
      await new Promise<void>((resolve, reject) => {
        socket.write(CHUNK, (error) => (error ? reject(error) : resolve()));
      });
    }
    return text(socket);
  }

  const MEBIBYTE = 1024 * 1024;

  it('to callers without credentials reach an HTTP/1.1 client that sends before it reads', async () => {
    const head = `POST ${LIST} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n`;
    const answer = await sendBeforeReading(head, 12 * MEBIBYTE);
    assert.match(answer, /^HTTP\/1\.1 401 [^]*"code":"unauthenticated"/);
  });

  it('to messages that are too large reach an HTTP/1.1 client that sends before it reads', async () => {
    const head =
      `POST ${LIST} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n` +
      `authorization: ${await signIn()}\r\n`;
    const answer = await sendBeforeReading(head, 12 * MEBIBYTE);
    assert.match(answer, /^HTTP\/1\.1 429 [^]*"code":"resource_exhausted"/);
  });

  it('to messages with too many values reach an HTTP/1.1 client that sends before it reads', async () => {
    const head =
      `POST ${LIST} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n` +
      `authorization: ${await signIn()}\r\ntransfer-encoding: chunked\r\n\r\n`;
    const socket = await openSocket(fleet.url);
    socket.write(head);
    const chunk = Buffer.concat([
      Buffer.from(`${CHUNK.length.toString(16)}\r\n`),
      CHUNK,
      Buffer.from('\r\n'),
    ]);
    // The response is sent after the fourth mebibyte.
    for (let count = 0; count < 128; count += 1) {
      await new Promise<void>((resolve, reject) => {
        socket.write(chunk, (error) => (error ? reject(error) : resolve()));
      });
    }
    assert.match(await text(socket), /^HTTP\/1\.1 429 [^]*"code":"resource_exhausted"/);
  });

  it('to requests from unknown hosts reach an HTTP/1.1 client that sends before it reads', async () => {
    const head = `POST ${LIST} HTTP/1.1\r\nhost: unknown.example\r\n`;
    assert.match(await sendBeforeReading(head, 12 * MEBIBYTE), /^HTTP\/1\.1 4\d\d /);
  });

  it('close an HTTP/1.1 connection whose client continues to send', async () => {
    const { hostname, port } = new URL(fleet.url);
    // Client that continues to send after the service has closed its half of the connection.
    const socket = connectSocket({ host: hostname, port: Number(port), allowHalfOpen: true });
    socket.on('error', () => undefined);
    let answer = '';
    socket.on('data', (chunk: Buffer) => (answer += chunk.toString('latin1')));
    const length = 1024 * MEBIBYTE;
    socket.write(
      `POST ${LIST} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n` +
        `content-length: ${length}\r\n\r\n`,
    );
    let sent = 0;
    for (let isOpen = true; isOpen && sent < length; sent += CHUNK.length) {
      isOpen = await new Promise<boolean>((resolve) => {
        socket.write(CHUNK, (error) => resolve(!error));
      });
    }
    assert.match(answer, /^HTTP\/1\.1 401 /);
    assert.ok(sent < length);
  });

  it('to an upload to an unknown part reach a client that continues to send', async () => {
    const metadata = { partId: 'unknown', type: DataType.FILE, fileName: 'a.bin' };
    const first = create(FileUploadRequestSchema, {
      uploadPacket: { case: 'metadata', value: metadata },
    });
    const content = create(FileUploadRequestSchema, {
      uploadPacket: { case: 'fileContents', value: { data: new Uint8Array(8 * 1024 * 1024) } },
    });
    const answer = await sendWithoutEnd(
      { ':path': UPLOAD, 'content-type': types.grpc, authorization: await signIn() },
      Buffer.concat(
        [first, content].map((one) => encodeEnvelope(0, toBinary(FileUploadRequestSchema, one))),
      ),
    );
    assert.notEqual(Number(answer.headers['grpc-status'] ?? 0), 0);
  });
});
