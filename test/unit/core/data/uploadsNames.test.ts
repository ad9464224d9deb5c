import assert from 'node:assert/strict';
import { rechunkBytes } from '../../../../src/core/api/streamContent';
import { uploadName } from '../../../../src/core/stores/uploadStore';

describe('uploadName', () => {
  for (const [path, fileName, fileExtension] of [
    ['photo.jpg', 'photo', '.jpg'],
    ['my.file.tar.gz', 'my.file.tar', '.gz'],
    ['shots/2026/photo.JPG', 'photo', '.JPG'],
    ['folder.d/README', 'README', ''],
    ['.profile', '.profile', ''],
    ['.config.json', '.config', '.json'],
    ['ends.', 'ends.', ''],
    ['../escape.txt', 'escape', '.txt'],
    ['<img src=x>.png', '<img src=x>', '.png'],
    ['\u202egnp.exe', '\u202egnp', '.exe'],
    ['', '', ''],
  ] as const) {
    it(`splits ${JSON.stringify(path)} into ${JSON.stringify(fileName)} and "${fileExtension}"`, () => {
      assert.deepEqual(uploadName(path), { fileName, fileExtension });
    });
  }
});

describe('rechunkBytes', () => {
  async function sizes(chunkSizes: readonly number[], size: number): Promise<readonly number[]> {
    const bytes = Buffer.from(Array.from({ length: 100 }, (_, index) => index));
    let at = 0;
    async function* content() {
      for (const length of chunkSizes) {
        yield await Promise.resolve(bytes.subarray(at, (at += length)));
      }
    }
    const chunks: Uint8Array[] = [];
    for await (const chunk of rechunkBytes(content(), size)) chunks.push(Buffer.from(chunk));

    assert.deepEqual(Buffer.concat(chunks), bytes.subarray(0, at), 'the same bytes in order');
    return chunks.map(({ length }) => length);
  }

  it('splits large chunks and combines small ones', async () => {
    assert.deepEqual(await sizes([25], 10), [10, 10, 5]);
    assert.deepEqual(await sizes([3, 3, 3, 3], 10), [10, 2]);
    assert.deepEqual(await sizes([9, 21, 0, 1], 10), [10, 10, 10, 1]);
    assert.deepEqual(await sizes([10, 10], 10), [10, 10]);
  });

  it('returns nothing for nothing', async () => {
    assert.deepEqual(await sizes([], 10), []);
    assert.deepEqual(await sizes([0, 0], 10), []);
  });
});
