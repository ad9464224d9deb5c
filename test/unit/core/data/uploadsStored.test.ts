import assert from 'node:assert/strict';
import type { FileSource } from '../../../../src/core/data/uploads/fileSource';
import { findStoredFiles } from '../../../../src/core/data/uploads/storedFiles';
import type { BinaryItem } from '../../../../src/core/model/binaryItem';
import { binaryDataId } from '../../../../src/core/model/ids';
import type {
  BinaryDataStore,
  BinaryPageRequest,
} from '../../../../src/core/stores/binaryDataStore';
import { inMemory, type UploadsFleet } from './uploadsFleet';

const { signal } = new AbortController();
const START = 1_700_000_000_000_000;

describe('findStoredFiles', () => {
  let fleet: UploadsFleet;

  beforeEach(async () => {
    fleet = await inMemory();
  });

  afterEach(() => fleet.close());

  const file = (path: string, size: number, createdAt?: number): FileSource => ({
    path,
    size,
    createdAt,
    async *read() {
      yield await Promise.resolve(Buffer.alloc(size, path));
    },
  });

  async function upload(...files: readonly FileSource[]): Promise<void> {
    const origin = { partId: fleet.part, componentName: '', componentType: '', method: '' };
    for (const one of files) {
      await fleet.stores.uploads.file({ ...one, origin, tags: [], datasets: [] });
    }
  }

  async function stored(files: readonly FileSource[]): Promise<readonly string[]> {
    const { binaryData } = fleet.stores;
    const found = await findStoredFiles(files, { binaryData, part: fleet.part, signal });
    return [...found].map(({ path }) => path);
  }

  it('finds files by name and size in any folder', async () => {
    await upload(file('shots/a.jpg', 10, START), file('my.data.tar.gz', 20), file('README', 3));
    const files = [
      file('copy/a.jpg', 10, START + 5),
      file('my.data.tar.gz', 20),
      file('README', 3),
      ...[file('a.jpg', 11), file('a.png', 10), file('new.jpg', 10)],
    ];
    assert.deepEqual(
      await stored(files),
      ['my.data.tar.gz', 'README', 'copy/a.jpg'].sort(
        (a, b) =>
          files.findIndex(({ path }) => path === a) - files.findIndex(({ path }) => path === b),
      ),
    );
  });

  it('matches each file with one stored item, preferring the same time', async () => {
    await upload(file('night/1.jpg', 10, START));
    const files = [file('day/1.jpg', 10, START + 1), file('night/1.jpg', 10, START)];
    assert.deepEqual(await stored(files), ['night/1.jpg']);
  });

  it('does not search other parts', async () => {
    const { stores, organization } = fleet;
    await upload(file('a.jpg', 10));
    const [hall] = await stores.locations.list(organization);
    const machine = await stores.machines.create(hall?.id ?? assert.fail(), 'arm-2');
    const [other] = await stores.parts.list(machine);
    const { binaryData } = stores;
    const part = other?.id ?? assert.fail();
    const found = await findStoredFiles([file('a.jpg', 10)], { binaryData, part, signal });
    assert.equal(found.size, 0);
  });

  it('reads only the times of the files, at most five pages, if the part has many items', async () => {
    const requests: BinaryPageRequest[] = [];
    const item = { fileName: '', fileExtension: '', sizeBytes: 0, at: 0 } as BinaryItem;
    const binaryData: Pick<BinaryDataStore, 'page'> = {
      page: (request) => {
        requests.push(request);
        const items = [{ ...item, id: binaryDataId(String(requests.length)) }];
        return Promise.resolve({ items, last: 'more', total: { count: 1_000_000, bytes: 0 } });
      },
    };
    const files = [file('a.jpg', 10, START), file('b.jpg', 10, START + 7)];
    await findStoredFiles(files, { binaryData, part: fleet.part, signal });
    assert.equal(requests.length, 6);
    assert.deepEqual(
      requests.slice(1).map(({ filter: { start, end } }) => [start, end]),
      Array.from({ length: 5 }, () => [START, START + 8]),
    );
    assert.deepEqual(
      requests.map(({ after }) => after),
      [undefined, undefined, 'more', 'more', 'more', 'more'],
    );
  });
});
