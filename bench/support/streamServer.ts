import { once } from 'node:events';
import { createServer, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';

const MEBIBYTE = 1024 * 1024;
const PIECE = Buffer.alloc(64 * 1024, 7);

/** Sends as many bytes as the path says, as fast as they are taken. */
function send(stream: ServerHttp2Stream, count: number): void {
  let left = count;
  const more = (): void => {
    while (left > 0) {
      const piece = left < PIECE.length ? PIECE.subarray(0, left) : PIECE;
      left -= piece.length;
      if (!stream.write(piece)) {
        stream.once('drain', more);
        return;
      }
    }
    stream.end();
  };
  more();
}

/**
 * What HTTP/2 costs with nothing behind it: it takes in and forgets what it is sent, and on GET
 * answers as many bytes as the path names.
 */
async function main(): Promise<void> {
  const server = createServer({ settings: { initialWindowSize: MEBIBYTE } });
  server.on('session', (session) => {
    session.setLocalWindowSize(4 * MEBIBYTE);
  });
  server.on('stream', (stream, headers) => {
    stream.respond({ ':status': 200 });
    if (headers[':method'] === 'GET') {
      send(stream, Number(String(headers[':path']).slice(1)));
      return;
    }
    stream.resume();
    stream.on('end', () => stream.end());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}` })}\n`);
}

void main();
