import assert from 'node:assert/strict';
import { frameBytes, readFrames } from '../../../../src/service/query/jobMessages';

async function* toChunks(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let start = 0; start < bytes.byteLength; start += size) {
    yield await Promise.resolve(bytes.subarray(start, start + size));
  }
}

async function read(bytes: Buffer, size = bytes.byteLength): Promise<string[]> {
  const found: string[] = [];
  for await (const { type, payload } of readFrames(toChunks(bytes, size))) {
    found.push(`${type} ${payload.toString()}`);
  }
  return found;
}

describe('frames between the service and a query process', () => {
  const bytes = Buffer.concat([
    ...frameBytes('ready'),
    ...frameBytes('documents', Buffer.from('one'), Buffer.from(' and two')),
    ...frameBytes('ended', Buffer.alloc(70_000, 'x')),
  ]);

  it('are parsed from chunks of any size', async () => {
    const whole = ['ready ', 'documents one and two', `ended ${'x'.repeat(70_000)}`];
    for (const size of [1, 4, 7, 1024, bytes.byteLength]) {
      assert.deepEqual(await read(bytes, size), whole);
    }
    assert.deepEqual(await read(Buffer.alloc(0), 1), []);
  });

  it('are rejected when they are invalid or end early', async () => {
    await assert.rejects(read(bytes.subarray(0, -1)), /closed within a frame/);
    await assert.rejects(read(Buffer.from('Hello, world')), /invalid data/);
    await assert.rejects(read(Buffer.from([2, 255, 255, 255, 255])), /invalid data/);
  });
});
