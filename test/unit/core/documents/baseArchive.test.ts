import assert from 'node:assert/strict';
import { BaseArchive } from '../../../../src/core/documents/configSource';
import { MemoryKeyValue } from '../../../support/memoryPorts';

const URI = 'fleetwright://lab/parts/p1/config/Acme/rover/main.json';
const KIB = 1024;

const createSnapshot = (length: number) => ({
  text: 'b'.repeat(length),
  version: undefined,
  name: 'left arm',
});

describe('BaseArchive', () => {
  it('returns the base and the unconfirmed texts', async () => {
    const archive = new BaseArchive(new MemoryKeyValue());
    const base = { snapshot: createSnapshot(10), unconfirmed: ['first', 'second'] };
    await archive.save(URI, base);
    assert.deepEqual(archive.get(URI), base);
  });

  it('drops the oldest texts that do not fit, and retains the base', async () => {
    const archive = new BaseArchive(new MemoryKeyValue());
    const snapshot = createSnapshot(100 * KIB);
    const [older, newer] = ['o'.repeat(100 * KIB), 'n'.repeat(100 * KIB)];
    await archive.save(URI, { snapshot, unconfirmed: [older, newer] });
    const archived = archive.get(URI);
    assert.equal(archived?.snapshot.text.length, 100 * KIB);
    assert.deepEqual(
      archived.unconfirmed.map((text) => text.slice(0, 1)),
      ['n'],
    );
  });

  it('returns the merges, and drops the oldest ones that do not fit', async () => {
    const storage = new MemoryKeyValue();
    const archive = new BaseArchive(storage);
    const toMerge = (letter: string) => ({ remote: letter.repeat(50 * KIB), merged: letter });
    const base = { snapshot: createSnapshot(10), unconfirmed: ['u'.repeat(150 * KIB)] };
    await archive.save(URI, { ...base, merges: [toMerge('o'), toMerge('n')] });
    assert.deepEqual(archive.get(URI), { ...base, merges: [toMerge('o'), toMerge('n')] });
    await archive.save(URI, { ...base, merges: ['o', 'n', 'm'].map(toMerge) });
    assert.deepEqual(archive.get(URI), { ...base, merges: ['n', 'm'].map(toMerge) });
  });

  it('stores nothing for a base that is too large, and deletes an older one', async () => {
    const archive = new BaseArchive(new MemoryKeyValue());
    await archive.save(URI, { snapshot: createSnapshot(10), unconfirmed: [] });
    await archive.save(URI, { snapshot: createSnapshot(300 * KIB), unconfirmed: [] });
    assert.equal(archive.get(URI), undefined);
  });
});
