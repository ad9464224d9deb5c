import assert from 'node:assert/strict';
import { FleetError } from '../../../../src/core/api/errors';
import { ContentBatcher, ItemContents } from '../../../../src/core/data/contents/itemContents';
import {
  formatContentDocument,
  parseContentDocument,
} from '../../../../src/core/data/contents/contentDocument';
import { requireShowable, wholeContent } from '../../../../src/core/api/contentStream';
import { type BinaryDataId, binaryDataId, connectionId } from '../../../../src/core/model/ids';
import type { BinaryItem } from '../../../../src/core/model/binaryItem';
import type { BinaryContent } from '../../../../src/core/stores/binaryDataStore';
import { type CaptureFleet, openCaptureFleet } from '../../../support/captureFleet';

const MEBIBYTE = 1024 * 1024;
const never = new AbortController().signal;

describe('reading the contents of many items', () => {
  let fleet: CaptureFleet;
  let ids: readonly BinaryDataId[];
  let calls: number[];
  let inProgress: number;
  let maxInProgress: number;

  before(async () => {
    fleet = await openCaptureFleet();
    ids = await fleet.part.captureMany(40);
  });

  beforeEach(() => {
    calls = [];
    inProgress = maxInProgress = 0;
  });

  after(() => fleet.close());

  const read = async (
    requestedIds: readonly BinaryDataId[],
    signal: AbortSignal,
  ): Promise<readonly BinaryContent[]> => {
    calls.push(requestedIds.length);
    inProgress += 1;
    maxInProgress = Math.max(maxInProgress, inProgress);
    try {
      return await fleet.session.stores.binaryData.contents(requestedIds, signal);
    } finally {
      inProgress -= 1;
    }
  };

  const gathered = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  it('combines concurrent requests into a few calls', async () => {
    const batcher = new ContentBatcher({ read, gathered });
    const contents = await Promise.all(ids.map((id) => batcher.read({ id, sizeBytes: 1 }, never)));
    assert.deepEqual(
      new Set(contents.map((bytes) => Buffer.from(bytes).toString())),
      new Set(['x']),
    );
    assert.deepEqual([calls.length, maxInProgress], [4, 4]);
  });

  it('limits the bytes of each response', async () => {
    const batcher = new ContentBatcher({ read, gathered });
    const item = (id: BinaryDataId): { id: BinaryDataId; sizeBytes: number } => ({
      id,
      sizeBytes: 3 * MEBIBYTE,
    });
    await Promise.all(ids.slice(0, 10).map((id) => batcher.read(item(id), never)));
    assert.deepEqual([calls.length, maxInProgress], [10, 4]);
  });

  it('never requests items that were canceled before the call', async () => {
    const batcher = new ContentBatcher({ read, gathered });
    const stop = new AbortController();
    const left = Promise.allSettled(
      ids.slice(0, 20).map((id) => batcher.read({ id, sizeBytes: 1 }, stop.signal)),
    );
    const pending = batcher.read({ id: ids[30] ?? binaryDataId(''), sizeBytes: 1 }, never);
    stop.abort();
    assert.equal((await pending).length, 1);
    const outcomes = await left;
    assert.ok(outcomes.every(({ status }) => status === 'rejected'));
    assert.deepEqual(calls, [1]);
  });

  it('reads all others if one of them was deleted', async () => {
    const batcher = new ContentBatcher({ read, gathered });
    const gone = binaryDataId('00000000-0000-0000-0000-000000000000');
    const requested = [...ids.slice(0, 7), gone, ...ids.slice(7, 12)];
    const outcomes = await Promise.allSettled(
      requested.map((id) => batcher.read({ id, sizeBytes: 1 }, never)),
    );
    const failed = outcomes.flatMap(({ status }, at) => (status === 'rejected' ? [at] : []));
    assert.deepEqual(failed, [7]);
  });

  it('ContentBatcher.read rejects only damaged contents, each with the reason of the service', async () => {
    const damaged = new Set([ids[2], ids[5]]);
    const batcher = new ContentBatcher({
      read: (requestedIds) => {
        calls.push(requestedIds.length);
        if (requestedIds.every((id) => damaged.has(id))) {
          return Promise.reject(
            new FleetError('damaged', `${requestedIds[0] ?? ''} was overwritten`),
          );
        }
        const bytes = (id: BinaryDataId): Uint8Array => Buffer.from(damaged.has(id) ? '' : 'x');
        return Promise.resolve(requestedIds.map((id) => ({ id, bytes: bytes(id) })));
      },
      gathered,
    });
    const outcomes = await Promise.allSettled(
      ids.slice(0, 12).map((id) => batcher.read({ id, sizeBytes: 1 }, never)),
    );
    const reasons = outcomes.flatMap((outcome, at) =>
      outcome.status === 'rejected' ? [[at, (outcome.reason as FleetError).message]] : [],
    );
    assert.deepEqual(reasons, [
      [2, `${ids[2] ?? ''} was overwritten`],
      [5, `${ids[5] ?? ''} was overwritten`],
    ]);
  });

  it('ContentBatcher.read treats an empty content of an item with bytes as damaged', async () => {
    const read = ([id = binaryDataId('')]: readonly BinaryDataId[]) =>
      Promise.resolve([{ id, bytes: new Uint8Array() }]);
    const batcher = new ContentBatcher({ read, gathered });
    const id = binaryDataId('a');
    await assert.rejects(batcher.read({ id, sizeBytes: 1 }, never), { kind: 'damaged' });
    assert.equal((await batcher.read({ id, sizeBytes: 0 }, never)).length, 0);
  });

  it('rejects an image that is too large for a thumbnail, and a content that is too large to show', async () => {
    const { binaryData } = fleet.session.stores;
    const [item] = await binaryData.get(ids.slice(0, 1));
    assert.ok(item);
    const sized = (sizeBytes: number): ItemContents =>
      new ItemContents({
        store: () => binaryData,
        find: () => ({ ...item, sizeBytes }),
        gathered,
      });
    await assert.rejects(sized(25 * MEBIBYTE).thumbnail(item.id, never), { kind: 'unsupported' });
    await assert.rejects(sized(2048 * MEBIBYTE).whole(item.id, never), /Download/);
    assert.equal((await sized(1).whole(item.id, never)).byteLength, 1);
  });

  describe('with prefetched contents', () => {
    let contents: ItemContents;
    let items: readonly BinaryItem[];

    beforeEach(async () => {
      const { binaryData } = fleet.session.stores;
      items = await binaryData.get(ids.slice(0, 20));
      const store = Object.assign(Object.create(binaryData) as typeof binaryData, {
        contents: read,
      });
      const find = (id: BinaryDataId) => items.find((item) => item.id === id);
      contents = new ItemContents({ store: () => store, find, gathered });
    });

    const readThumbnails = (from: number, to: number) =>
      Promise.all(items.slice(from, to).map(({ id }) => contents.thumbnail(id, never)));
    const countRead = (): number => calls.reduce((sum, count) => sum + count, 0);

    it('reads the first images once', async () => {
      contents.prefetch(items, never);
      await readThumbnails(0, 16);
      assert.equal(countRead(), 16);
      await readThumbnails(15, 17);
      assert.equal(countRead(), 18);
    });

    it('prefetches no more than one call can return', async () => {
      contents.prefetch(
        items.map((item) => ({ ...item, sizeBytes: 1.5 * MEBIBYTE })),
        never,
      );
      await readThumbnails(0, 2);
      assert.equal(countRead(), 2);
    });

    it('reads an image again if its prefetch was canceled', async () => {
      const stop = new AbortController();
      contents.prefetch(items.slice(0, 1), stop.signal);
      stop.abort();
      const [bytes] = await readThumbnails(0, 1);
      assert.equal(bytes?.byteLength, 1);
    });
  });

  it('finds an item that is no longer listed', async () => {
    const { binaryData } = fleet.session.stores;
    const contents = new ItemContents({ store: () => binaryData, find: () => undefined, gathered });
    const id = ids[3] ?? binaryDataId('');
    assert.equal((await contents.thumbnail(id, never)).byteLength, 1);
  });
});

describe('a whole content', () => {
  async function* chunks(...sizes: readonly number[]): AsyncGenerator<Uint8Array> {
    for (const size of sizes) yield await Promise.resolve(new Uint8Array(size).fill(size % 256));
  }

  it('is assembled from its chunks, with progress', async () => {
    const progress: number[] = [];
    const stream = { start: 0, size: undefined, version: undefined };
    const sizes = [MEBIBYTE, 3, MEBIBYTE] as const;
    const bytes = await wholeContent({ ...stream, chunks: chunks(...sizes) }, (n) =>
      progress.push(n),
    );
    assert.equal(bytes.length, 2 * MEBIBYTE + 3);
    assert.equal(bytes[MEBIBYTE], 3);
    assert.deepEqual(progress, [MEBIBYTE, 2 * MEBIBYTE + 3]);
  });

  it('is rejected by its size before anything is read', async () => {
    const stream = { start: 0, size: 300 * MEBIBYTE, version: undefined, chunks: chunks() };
    await assert.rejects(wholeContent(stream), { kind: 'unsupported' });
    assert.doesNotThrow(() => requireShowable(256 * MEBIBYTE));
  });
});

describe('the document address of a content', () => {
  const document = { connectionId: connectionId('c1'), id: binaryDataId('org/loc/ÄÖ ../x') };

  it('is parsed back without other data', () => {
    const parts = formatContentDocument(document, 'hall.png', '.png');
    assert.equal(parts.path.split('/').length, 3);
    assert.ok(parts.path.endsWith('/hall.png'));
    assert.deepEqual(parseContentDocument(parts), document);
    const plain = { ...document, id: binaryDataId('36bbed44-b0d5') };
    const { path, authority } = formatContentDocument(plain, 'hall.png', '.png');
    assert.equal(path, '/36bbed44-b0d5/hall.png');
    assert.deepEqual(parseContentDocument({ path, authority }), plain);
  });

  it('contains a harmless name', () => {
    const names = ['../../etc/passwd', '\u202egnp.exe', 'a\nb', '', 'x'.repeat(10_000)];
    for (const name of names) {
      const { path } = formatContentDocument(document, name, '.jpg');
      assert.match(path, /^\/~[0-9a-f]+\/[^/\p{Cc}\u202e]{1,64}\.jpg$/u);
      assert.ok(!path.includes('..'));
    }
  });

  it('rejects other paths', () => {
    const wrong = ['/', '/~zz/a.jpg', '/61', '/61/', '/61/a/b', '/~616/a', '/../a'];
    for (const path of wrong) {
      assert.equal(parseContentDocument({ authority: 'c1', path }), undefined, path);
    }
    assert.equal(parseContentDocument({ authority: '', path: '/61/a' }), undefined);
  });

  it('rejects IDs that are malformed UTF-8', () => {
    for (const id of ['~ff', '~61ff', '~c3', '~eda080']) {
      assert.equal(parseContentDocument({ authority: 'c1', path: `/${id}/a.jpg` }), undefined, id);
    }
  });
});
