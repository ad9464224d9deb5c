import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createServer, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';

const MEBIBYTE = 1024 * 1024;
const CHUNK = Buffer.alloc(64 * 1024, 7);

/** Sends the number of bytes in the path, with back pressure. */
function send(stream: ServerHttp2Stream, count: number): void {
  let left = count;
  const more = (): void => {
    while (left > 0) {
      const chunk = left < CHUNK.length ? CHUNK.subarray(0, left) : CHUNK;
      left -= chunk.length;
      if (!stream.write(chunk)) {
        stream.once('drain', more);
        return;
      }
    }
    stream.end();
  };
  more();
}

/** Sends the first bytes of a file in chunks of the size that is fastest, with back pressure. */
function sendFile(stream: ServerHttp2Stream, path: string, count: number): void {
  createReadStream(path, { end: count - 1, highWaterMark: MEBIBYTE }).pipe(stream);
}

/**
 * Writes the received bytes to a file and hashes them, using the simplest method that survives a
 * power failure.
 */
async function receiveUpload(stream: ServerHttp2Stream, path: string): Promise<void> {
  const hash = createHash('sha256');
  await using file = await open(path, 'w');
  for await (const bytes of stream as AsyncIterable<Buffer>) {
    hash.update(bytes);
    await file.write(bytes);
  }
  await file.sync();
  stream.end(hash.digest('hex'));
}

/**
 * Runs a server to measure HTTP/2 without the fleet service. It discards the data that it receives,
 * except at the path `/kept`, and responds to GET with the number of bytes given in the path: from
 * memory, or at a path below `/kept/` from the received file.
 */
async function main(file: string): Promise<void> {
  const server = createServer({ settings: { initialWindowSize: MEBIBYTE } });
  server.on('session', (session) => {
    session.setLocalWindowSize(4 * MEBIBYTE);
  });
  server.on('stream', (stream, headers) => {
    stream.respond({ ':status': 200 });
    const path = String(headers[':path']);
    if (headers[':method'] === 'GET') {
      const count = Number(path.slice(path.lastIndexOf('/') + 1));
      if (path.startsWith('/kept/')) sendFile(stream, file, count);
      else send(stream, count);
      return;
    }
    if (path === '/kept') {
      void receiveUpload(stream, file);
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

void main(process.argv[2] ?? '');
