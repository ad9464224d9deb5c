import assert from 'node:assert/strict';
import {
  connectionId,
  locationId,
  machineId,
  organizationId,
} from '../../../../../src/core/model/ids';
import { type FindEntry, FindIndex } from '../../../../../src/host/features/find/findIndex';

function machine(name: string, id = name, ...path: readonly string[]): FindEntry {
  return {
    target: {
      kind: 'machine',
      connectionId: connectionId('c'),
      organizationId: organizationId('o'),
      locationId: locationId('l'),
      machineId: machineId(id),
      name,
    },
    path,
  };
}

function names(index: FindIndex, query: string): readonly string[] {
  return index.search(query, 10).entries.map(({ target }) => target.name);
}

describe('FindIndex', () => {
  it('ranks an exact name before a prefix, a word, and a substring', () => {
    const index = new FindIndex();
    index.add(['disarmed', 'left-arm', 'army', 'ARM', 'leg'].map((name) => machine(name)));
    assert.deepEqual(names(index, 'arm'), ['ARM', 'army', 'left-arm', 'disarmed']);
  });

  it('narrows by parent, but never matches the parent alone', () => {
    const index = new FindIndex();
    index.add([machine('arm', '1', 'Acme', 'Plant'), machine('arm', '2', 'Acme', 'Lab')]);
    assert.equal(index.search('plant arm', 10).total, 1);
    assert.equal(index.search('arm acme', 10).total, 2);
    assert.equal(index.search('plant', 10).total, 0);
  });

  it('finds by an ID or a part of it', () => {
    const index = new FindIndex();
    index.add([machine('arm', '0b2f6f1c-7a41')]);
    assert.deepEqual(names(index, '0B2F6F1C-7a41'), ['arm']);
    assert.deepEqual(names(index, '7a41'), ['arm']);
  });

  it('shows everything for an empty query with the total number, up to the limit', () => {
    const index = new FindIndex();
    index.add(Array.from({ length: 30 }, (_, number) => machine(`arm-${number}`)));
    const { entries, total } = index.search('', 10);
    assert.deepEqual([entries.length, total], [10, 30]);
  });

  it('filters by kind', () => {
    const index = new FindIndex();
    index.add([machine('arm')]);
    assert.equal(index.search('arm', 10, ['part', 'fragment']).total, 0);
    assert.equal(index.search('arm', 10, ['part', 'machine']).total, 1);
  });

  it('contains a resource once, by its latest name', () => {
    const index = new FindIndex();
    index.add([machine('old', '1')]);
    index.add([machine('new', '1')]);
    assert.equal(index.size, 1);
    assert.deepEqual(names(index, 'new'), ['new']);
  });
});
