import { once } from 'node:events';
import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http';
import { connect as connectHttp2 } from 'node:http2';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';

export interface RawResponse {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

/** Sends one HTTP/1.1 request with exactly the given headers. */
export async function http1Request(
  url: string,
  options: { method?: string; headers?: OutgoingHttpHeaders; body?: string } = {},
): Promise<RawResponse> {
  const { method = 'GET', headers = {}, body } = options;
  const outgoing = request(url, { method, headers, agent: false });
  return new Promise((resolve, reject) => {
    outgoing.once('error', reject);
    outgoing.once('response', (incoming) => {
      text(incoming).then((answer) => {
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: answer });
      }, reject);
    });
    outgoing.end(body);
  });
}

/** Sends one HTTP/2 request with exactly these headers; returns the status of the response. */
export async function http2Status(url: string, headers: OutgoingHttpHeaders): Promise<number> {
  const session = connectHttp2(url);
  try {
    const stream = session.request(headers, { endStream: true });
    const [answer] = (await once(stream, 'response')) as [{ ':status': number }];
    stream.resume();
    return answer[':status'];
  } finally {
    session.close();
  }
}

/** Opens a connection without sending anything. */
export async function openSocket(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  return socket;
}

/** Writes bytes one by one, each in a separate packet. */
export async function writeSlowly(socket: Socket, bytes: string): Promise<void> {
  socket.setNoDelay(true);
  for (const byte of bytes) {
    socket.write(byte, 'latin1');
    await new Promise((resolve) => setImmediate(resolve));
  }
}
