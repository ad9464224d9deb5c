import { type ClientHttp2Session, connect } from 'node:http2';

export interface UnaryCall {
  /** RPC path: `/package.Service/Method`. */
  path: string;
  /** Serialized request message. */
  message: Uint8Array;
  authorization: string;
}

const ENVELOPE_BYTES = 5;

/**
 * Keeps `callers` gRPC calls in progress over one HTTP/2 connection for `durationMs`; returns the
 * number of calls per second. Implements HTTP/2 calls manually, in order to measure the server and
 * not this client.
 * @throws if a call fails.
 */
export async function callsPerSecond(
  url: string,
  call: UnaryCall,
  callers: number,
  durationMs: number,
): Promise<number> {
  const session = connectHttp2(url);
  const body = envelope(call.message);
  const start = performance.now();
  const end = start + durationMs;
  let count = 0;
  try {
    await Promise.all(
      Array.from({ length: callers }, async () => {
        while (performance.now() < end) {
          await callOnce(session, call, body);
          count += 1;
        }
      }),
    );
    return (count * 1000) / (performance.now() - start);
  } finally {
    session.close();
  }
}

/** Opens a connection with flow-control windows for large responses. */
export function connectHttp2(url: string): ClientHttp2Session {
  return connect(url, { settings: { initialWindowSize: 1024 * 1024 } });
}

/**
 * Makes one gRPC call and ignores its response.
 * @throws if the call fails.
 */
export function callOnce(
  session: ClientHttp2Session,
  call: Pick<UnaryCall, 'path' | 'authorization'>,
  body: Buffer,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const stream = session.request({
      ':method': 'POST',
      ':path': call.path,
      'content-type': 'application/grpc+proto',
      te: 'trailers',
      authorization: call.authorization,
    });
    let status: unknown;
    const takeStatus = (headers: Record<string, unknown>): void => {
      status = headers['grpc-status'] ?? status;
    };
    stream.on('response', takeStatus).on('trailers', takeStatus).on('error', reject);
    stream.on('close', () => {
      if (status === '0') resolve();
      else reject(new Error(`${call.path} answered gRPC status ${String(status)}`));
    });
    stream.resume();
    stream.end(body);
  });
}

/** Returns a message with the gRPC frame header. */
export function envelope(message: Uint8Array): Buffer {
  const head = Buffer.alloc(ENVELOPE_BYTES);
  head.writeUInt32BE(message.byteLength, 1);
  return Buffer.concat([head, message]);
}
