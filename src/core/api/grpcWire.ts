import * as net from 'node:net';
import * as tls from 'node:tls';
import type { Interceptor, Transport } from '@connectrpc/connect';
import { createTransport } from '@connectrpc/connect/protocol-grpc';
import {
  compressionBrotli,
  compressionGzip,
  createNodeHttpClient,
  Http2SessionManager,
} from '@connectrpc/connect-node';
import { type ClientHttp2Stream, type ClientSessionRequestOptions, constants } from 'node:http2';
import {
  type DescField,
  type DescMessage,
  type Message,
  ScalarType,
  toBinary,
} from '@bufbuild/protobuf';
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import type { UniversalClientFn } from '@connectrpc/connect/protocol';
import type { DisposableLike } from '../../base/disposable';

/** Interval and timeout of pings while a connection has open calls. */
export interface PingTimes {
  readonly pingIntervalMs: number;
  readonly pingTimeoutMs: number;
}

/**
 * A ping waits behind upload data that is already in the system's buffers. This can be up to 4 MiB,
 * which takes over 30 seconds at 1 Mbit/s.
 */
const PING_TIMES: PingTimes = { pingIntervalMs: 30_000, pingTimeoutMs: 40_000 };
const IDLE_TIMEOUT_MS = 5 * 60_000;
/** Maximum size of a received message. The service sends up to 64 MiB in one message. */
const READ_MAX_BYTES = 64 * 1024 * 1024;
/**
 * Maximum size of a sent message. This is the gRPC maximum, because services report an error if a
 * message exceeds their own limits.
 */
const WRITE_MAX_BYTES = 0xffffffff;
const MIN_COMPRESSED_BYTES = 1024;
const HTTPS_PORT = 443;
const HTTP_PORT = 80;

/** HTTP/2 connection to a service, which is shared by the transports that are opened on it. */
export interface GrpcWire extends DisposableLike {
  readonly open: (interceptors: Interceptor[]) => Transport;
}

/**
 * Creates a gRPC connection over HTTP/2, with TLS for https addresses.
 * @param authorities additional certificate authorities (PEM) to trust.
 */
export function createGrpcWire(
  baseUrl: string,
  authorities: readonly string[] = [],
  pingTimes = PING_TIMES,
): GrpcWire {
  const sockets = new Set<net.Socket>();
  let isDisposed = false;
  const createConnection = (url: URL): net.Socket => {
    const socket = connect(url, authorities);
    // A call that is still running must not reconnect, because the connection was closed on
    // purpose.
    if (isDisposed) socket.destroy(new Error('The connection was closed.'));
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    return socket;
  };
  const sessionManager = new Http2SessionManager(
    baseUrl,
    { ...pingTimes, idleConnectionTimeoutMs: IDLE_TIMEOUT_MS },
    { createConnection },
  );
  const zeroCopyUploads = new ZeroCopyUploads();
  const streams = brokenOffStreams(sessionManager);
  const client = createNodeHttpClient({ httpVersion: '2', sessionProvider: () => streams });
  return {
    // Like `createGrpcTransport`, but with a separate path for upload chunks.
    open: (interceptors) =>
      createTransport({
        baseUrl,
        httpClient: zeroCopyUploads.over(client),
        interceptors: [...interceptors, zeroCopyUploads.interceptor],
        useBinaryFormat: true,
        acceptCompression: [compressionGzip, compressionBrotli],
        sendCompression: null,
        compressMinBytes: MIN_COMPRESSED_BYTES,
        readMaxBytes: READ_MAX_BYTES,
        writeMaxBytes: WRITE_MAX_BYTES,
      }),
    dispose: () => {
      isDisposed = true;
      // Aborting the session instead would throw an uncaught error if the session is already
      // failing.
      for (const socket of sockets) socket.destroy();
    },
  };
}

function connect(url: URL, authorities: readonly string[]): net.Socket {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (url.protocol === 'http:') return net.connect({ host, port: getPort(url, HTTP_PORT) });
  return tls.connect({
    host,
    port: getPort(url, HTTPS_PORT),
    ALPNProtocols: ['h2'],
    ...(net.isIP(host) === 0 && { servername: host }),
    // Specifying any certificate authority replaces the default authorities, so include them.
    ...(authorities.length > 0 && { ca: [...tls.rootCertificates, ...authorities] }),
  });
}

function getPort(url: URL, usual: number): number {
  return url.port === '' ? usual : Number(url.port);
}

type SessionManager = Pick<Http2SessionManager, 'authority' | 'request' | 'notifyResponseByteRead'>;

/**
 * Resets interrupted requests without ending them first. The `close` method of Node's streams first
 * ends and then resets them. A service that receives the end before the reset, or never receives
 * the reset, treats the partial upload as complete and stores a truncated archive.
 */
function brokenOffStreams(manager: SessionManager): SessionManager {
  return {
    authority: manager.authority,
    request: async (method, path, headers, options) => {
      const breaking = new AbortController();
      const breakable: ClientSessionRequestOptions = { ...options, signal: breaking.signal };
      const stream = await manager.request(method, path, headers, breakable);
      stream.close = closing(stream, () => breaking.abort());
      return stream;
    },
    notifyResponseByteRead: (stream) => manager.notifyResponseByteRead(stream),
  };
}

function closing(stream: ClientHttp2Stream, breakOff: () => void): ClientHttp2Stream['close'] {
  const close = stream.close.bind(stream);
  return (code = constants.NGHTTP2_NO_ERROR, callback) => {
    if (code === constants.NGHTTP2_NO_ERROR || stream.writableEnded) {
      close(code, callback);
      return;
    }
    if (callback) stream.once('close', callback);
    // Destroying the stream sends only the reset.
    breakOff();
  };
}

/** Minimum size of a chunk that is worth a separate write. */
const MIN_CHUNK_BYTES = 16 * 1024;
const ENVELOPE_BYTES = 5;

/**
 * Sends the chunks of large files without copying them. Encoding them like other messages would
 * create three copies of each chunk, and garbage-collecting these copies takes longer than sending.
 * The bytes on the wire are the same.
 */
export class ZeroCopyUploads {
  private readonly bodies = new WeakMap<Headers, AsyncIterable<Uint8Array>>();

  /**
   * Must be the innermost interceptor, because it consumes the outgoing messages and doesn't pass
   * them on.
   */
  readonly interceptor: Interceptor = (next) => (request) => {
    const field = request.stream ? findChunkField(request.method.input) : undefined;
    if (!request.stream || !field || request.method.methodKind !== 'client_streaming') {
      return next(request);
    }
    this.bodies.set(request.header, encoded(request.method.input, field, request.message));
    return next({ ...request, message: noMessages() });
  };

  /** Wraps a client so that it sends the stored bodies. */
  over(client: UniversalClientFn): UniversalClientFn {
    return (request) => {
      const body = this.bodies.get(request.header);
      return client(body ? { ...request, body } : request);
    };
  }
}

/**
 * Finds the field that contains a chunk of the content, in messages that carry either metadata or a
 * chunk.
 */
function findChunkField({ oneofs }: DescMessage): DescField | undefined {
  return oneofs
    .flatMap(({ fields }) => fields)
    .find(({ fieldKind, scalar }) => fieldKind === 'scalar' && scalar === ScalarType.BYTES);
}

/** Yields messages in gRPC framing: an uncompressed flag and the length precede each message. */
async function* encoded(
  schema: DescMessage,
  field: DescField,
  messages: AsyncIterable<Message>,
): AsyncGenerator<Uint8Array> {
  for await (const message of messages) {
    const chunk = getChunk(message, field);
    if (chunk) {
      const head = new BinaryWriter()
        .tag(field.number, WireType.LengthDelimited)
        .uint32(chunk.length)
        .finish();
      yield enveloped(head, head.length + chunk.length);
      // The consumer must finish with this chunk before requesting the next one. This is
      // guaranteed, because the consumer waits until the chunk is written.
      yield chunk;
    } else {
      const whole = toBinary(schema, message);
      yield enveloped(whole, whole.length);
    }
  }
}

function getChunk(message: Message, { oneof, localName }: DescField): Uint8Array | undefined {
  const members: Readonly<Record<string, unknown>> = { ...message };
  const chosen = oneof && members[oneof.localName];
  if (
    typeof chosen !== 'object' ||
    chosen === null ||
    !('case' in chosen) ||
    !('value' in chosen)
  ) {
    return undefined;
  }
  const { value } = chosen;
  const isChunk = chosen.case === localName && value instanceof Uint8Array;
  return isChunk && value.length >= MIN_CHUNK_BYTES ? value : undefined;
}

/**
 * @param bytes start of the message
 * @param length length of the whole message
 */
function enveloped(bytes: Uint8Array, length: number): Uint8Array {
  const envelope = Buffer.alloc(ENVELOPE_BYTES + bytes.length);
  envelope.writeUInt32BE(length, 1);
  envelope.set(bytes, ENVELOPE_BYTES);
  return envelope;
}

async function* noMessages(): AsyncGenerator<never> {
  // The client already sends the messages from the stored body.
}
