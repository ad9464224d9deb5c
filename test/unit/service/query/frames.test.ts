import assert from 'node:assert/strict';
import { documentsIn, frameBytes, readFrames } from '../../../../src/service/query/frames';

async function* pieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let start = 0; start < bytes.byteLength; start += size) {
    yield await Promise.resolve(bytes.subarray(start, start + size));
  }
}

async function read(bytes: Buffer, size = bytes.byteLength): Promise<string[]> {
  const found: string[] = [];
  for await (const { type, payload } of readFrames(pieces(bytes, size))) {
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

  it('are read in whatever pieces they come', async () => {
    const whole = ['ready ', 'documents one and two', `ended ${'x'.repeat(70_000)}`];
    for (const size of [1, 4, 7, 1024, bytes.byteLength]) {
      assert.deepEqual(await read(bytes, size), whole);
    }
    assert.deepEqual(await read(Buffer.alloc(0), 1), []);
  });

  it('are refused when they are none, or end early', async () => {
    await assert.rejects(read(bytes.subarray(0, -1)), /ended within a frame/);
    await assert.rejects(read(Buffer.from('Hello, world')), /no frame/);
    await assert.rejects(read(Buffer.from([2, 255, 255, 255, 255])), /no frame/);
  });

  it('hold documents one after the other', () => {
    const document = (length: number): Buffer => {
      const made = Buffer.alloc(length);
      made.writeInt32LE(length);
      return made;
    };
    const both = Buffer.concat([document(5), document(9)]);
    assert.deepEqual(
      [...documentsIn(both)].map(({ byteLength }) => byteLength),
      [5, 9],
    );
    for (const wrong of [both.subarray(0, 12), Buffer.from([0, 0, 0, 0, 0]), Buffer.from([5])]) {
      assert.throws(() => [...documentsIn(wrong)], /no document/);
    }
  });
});
