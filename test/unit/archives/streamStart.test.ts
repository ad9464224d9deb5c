import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { StreamStart } from '../../../src/archives/archiveEntries';

async function* toChunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size) {
    yield await Promise.resolve(bytes.subarray(start, start + size));
  }
}

describe('StreamStart', () => {
  it('detects compression before the second byte passes, with chunks of any size', async () => {
    for (const size of [1, 2, 100]) {
      const start = new StreamStart();
      const passed: Uint8Array[] = [];
      for await (const chunk of start.of(toChunks(gzipSync('packed'), size))) {
        if (start.isGzip) break;
        passed.push(chunk);
      }
      assert.equal(start.isGzip, true);
      assert.ok(Buffer.concat(passed).length < 2, String(size));
    }
  });

  it('passes on everything else unchanged', async () => {
    const start = new StreamStart();
    const passed: Uint8Array[] = [];
    for await (const chunk of start.of(toChunks(Buffer.from('plain'), 1))) passed.push(chunk);
    assert.deepEqual([Buffer.concat(passed).toString(), start.isGzip], ['plain', false]);
  });
});
