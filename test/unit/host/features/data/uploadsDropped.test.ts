import assert from 'node:assert/strict';
import { FleetError } from '../../../../../src/core/api/errors';
import type { FileRequest } from '../../../../../src/shared/data/drops';
import { DroppedReads } from '../../../../../src/host/features/data/drops/droppedReads';

const labels = {
  gone: (path: string) => `${path} gone`,
  unreadable: (path: string, reason: string) => `${path} unreadable: ${reason}`,
  changed: (path: string) => `${path} changed`,
};
const { signal } = new AbortController();

describe('reading dropped files', () => {
  let requested: FileRequest[];
  let reads: DroppedReads;

  beforeEach(() => {
    requested = [];
    reads = new DroppedReads((file) => requested.push(file), labels);
  });

  afterEach(() => reads.dispose());

  const handlers = () => reads.handlers();
  const source = (sizeBytes: number) =>
    reads.source(3, 5, { path: 'a.bin', sizeBytes, modifiedAt: 1_234 });
  const bytes = (...values: readonly number[]): ArrayBuffer => Uint8Array.from(values).buffer;
  const hand = (read: number, ...values: readonly number[]) =>
    handlers().dropBytes({ read, bytes: bytes(...values) }, signal);

  async function all(content: AsyncIterable<Uint8Array>): Promise<readonly number[]> {
    const found: number[] = [];
    for await (const chunk of content) found.push(...chunk);
    return found;
  }

  it('requests the file from the page, and the next chunk only after the previous one was read', async () => {
    const { size, modifiedAt, read } = source(3);
    assert.deepEqual([size, modifiedAt], [3, 1_234_000]);
    const content = read(signal)[Symbol.asyncIterator]();
    const first = content.next();
    assert.deepEqual(requested, [{ read: 1, drop: 3, file: 5 }]);
    let isMoreRequested = false;
    const handed = hand(1, 1, 2).then(({ more }) => (isMoreRequested = more));
    assert.deepEqual([...((await first).value as Uint8Array)], [1, 2]);
    assert.equal(isMoreRequested, false);
    const second = content.next();
    await handed;
    assert.equal(isMoreRequested, true);
    void hand(1, 3);
    assert.deepEqual([...((await second).value as Uint8Array)], [3]);
    const last = content.next();
    handlers().dropEnd({ read: 1 });
    assert.equal((await last).done, true);
  });

  it('can read a file again', async () => {
    const file = source(1);
    for (const read of [1, 2]) {
      const content = all(file.read(signal));
      const handed = hand(read, 9);
      assert.deepEqual(await handed, { more: true });
      handlers().dropEnd({ read });
      assert.deepEqual(await content, [9]);
    }
  });

  it('reports that a file cannot be read, has changed, or that its panel is closed', async () => {
    const failing = all(source(1).read(signal));
    handlers().dropFailed({ read: 1, reason: 'gone' });
    await assert.rejects(failing, new FleetError('invalid', 'a.bin unreadable: gone'));
    const shorter = all(source(2).read(signal));
    await hand(2, 1);
    handlers().dropEnd({ read: 2 });
    await assert.rejects(shorter, new FleetError('conflict', 'a.bin changed'));
    const closing = all(source(2).read(signal));
    reads.dispose();
    await assert.rejects(closing, new FleetError('unavailable', 'a.bin gone'));
  });

  it('reports that the page of a drop was closed, and does not request the files from another page', async () => {
    const dropped = source(2);
    const reading = all(dropped.read(signal));
    await hand(1, 1);
    reads.pageClosed();
    await assert.rejects(reading, new FleetError('unavailable', 'a.bin gone'));
    // Drops are identified by a number that every page counts from the start, so the next page must
    // not be used for this drop.
    await assert.rejects(all(dropped.read(signal)), { message: 'a.bin gone' });
    assert.equal(requested.length, 1);
    const another = all(source(1).read(signal));
    void hand(2, 7);
    handlers().dropEnd({ read: 2 });
    assert.deepEqual(await another, [7]);
  });

  it('requests nothing more when it is canceled, and rejects unrequested chunks', async () => {
    const controller = new AbortController();
    const content = all(source(9).read(controller.signal));
    await hand(1, 1);
    controller.abort();
    await assert.rejects(content, { name: 'AbortError' });
    assert.deepEqual(await hand(1, 2), { more: false });
    assert.deepEqual(await hand(99, 2), { more: false });
  });
});
