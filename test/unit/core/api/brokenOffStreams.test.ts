import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Http2Server, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { createClient } from '@connectrpc/connect';
import { createGrpcWire, type GrpcWire } from '../../../../src/core/api/grpcWire';
import { AppService } from '../../../../src/gen/viam/app/v1/app_pb';

const MEBIBYTE = 1024 * 1024;
const CHUNKS = 4;
/** HTTP/2 error code of a stream that was sent in full. */
const NO_ERROR = 0;
/**
 * Number of repetitions. The outcome depends on the runtime's scheduling, so a single attempt
 * proves little.
 */
const TIMES = 12;

describe('interrupted uploads', () => {
  let server: Http2Server;
  let wire: GrpcWire;

  beforeEach(async () => {
    server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    wire = createGrpcWire(`http://127.0.0.1:${String(port)}`);
  });

  afterEach(async () => {
    wire.dispose();
    server.close();
    await once(server, 'close');
  });

  /**
   * @returns the HTTP/2 error code of a stream that is aborted after much of its data has arrived.
   */
  async function endOf(breakOff: () => void): Promise<number | undefined> {
    const [stream] = (await once(server, 'stream')) as [ServerHttp2Stream];
    let received = 0;
    stream.on('data', (bytes: Buffer) => {
      received += bytes.length;
      if (received >= CHUNKS * MEBIBYTE) breakOff();
    });
    // The stream emits the abort error in addition to the end that Node derives from it.
    stream.on('error', () => undefined);
    const ended = once(stream, 'end').then(() => stream.rstCode);
    const aborted = once(stream, 'aborted').then(() => stream.rstCode);
    return Promise.race([ended, aborted]);
  }

  function upload(chunks: AsyncIterable<Uint8Array>, signal?: AbortSignal): Promise<unknown> {
    async function* messages() {
      const value = { moduleId: 'acme:weather', version: '1.0.0', platform: 'any' };
      yield { moduleFile: { case: 'moduleFileInfo' as const, value } };
      for await (const bytes of chunks) {
        yield { moduleFile: { case: 'file' as const, value: bytes } };
      }
    }
    const app = createClient(AppService, wire.open([]));
    return app.uploadModuleFile(messages(), signal ? { signal } : {});
  }

  /**
   * Simulates data that is compressed on the fly: it arrives more slowly than it is sent, so the
   * stream is idle at times.
   */
  async function* slow(signal?: AbortSignal): AsyncGenerator<Uint8Array> {
    for (let index = 0; index < CHUNKS; index += 1) {
      yield await Promise.resolve(new Uint8Array(MEBIBYTE));
    }
    if (signal) await once(signal, 'abort');
    else throw new Error('the disk failed');
  }

  it('are never mistaken for complete when they are canceled', async () => {
    for (let time = 0; time < TIMES; time += 1) {
      const stop = new AbortController();
      const end = endOf(() => stop.abort());
      await assert.rejects(upload(slow(stop.signal), stop.signal));
      assert.notEqual(await end, NO_ERROR);
    }
  });

  it('are never mistaken for complete when their content cannot be read', async () => {
    for (let time = 0; time < TIMES; time += 1) {
      const end = endOf(() => undefined);
      await assert.rejects(upload(slow()), /the disk failed/);
      assert.notEqual(await end, NO_ERROR);
    }
  });
});
