import '../../../../../support/plainVscode';
import assert from 'node:assert/strict';
import { connectionId, organizationId } from '../../../../../../src/core/model/ids';
import {
  type SavedFilter,
  SavedFilters,
} from '../../../../../../src/host/features/data/filter/savedFilters';
import { type DataFilter, everyData } from '../../../../../../src/shared/data/dataFilter';
import { MemoryKeyValue } from '../../../../../support/memoryPorts';

const connection = connectionId('key-1');

function named(name: string, change: Partial<DataFilter> = {}): SavedFilter {
  const target = {
    kind: 'organization' as const,
    connectionId: connection,
    name: 'Acme',
    organizationId: organizationId('org-1'),
  } as const;
  return { name, target, filter: { ...everyData, ...change }, tab: 'images' };
}

describe('saved filters', () => {
  let storage: MemoryKeyValue;
  let filters: SavedFilters;

  beforeEach(() => {
    storage = new MemoryKeyValue();
    filters = new SavedFilters(storage);
  });

  const names = (id = connection): readonly string[] => filters.list(id).map(({ name }) => name);

  it('are stored under their names, with relative times', async () => {
    const last = named('b', { interval: { kind: 'last', minutes: 15 } });
    await filters.save(last);
    await filters.save(named('a'));
    assert.deepEqual(filters.list(connection), [named('a'), last]);
    assert.deepEqual(names(connectionId('key-2')), []);
  });

  it('replace one with the same name, are renamed, and deleted', async () => {
    await filters.save(named('a'));
    await filters.save(named('a', { labels: ['rust'] }));
    await filters.save(named('b'));
    assert.deepEqual(filters.list(connection)[0]?.filter.labels, ['rust']);
    await filters.rename(connection, 'a', 'b');
    assert.deepEqual(filters.list(connection), [named('b', { labels: ['rust'] })]);
    await filters.delete(connection, 'b');
    assert.deepEqual(storage.keys(), []);
  });

  it('SavedFilters.rename rejects a filter that another window has deleted', async () => {
    await filters.save(named('a'));
    await new SavedFilters(storage).delete(connection, 'a');
    await assert.rejects(filters.rename(connection, 'a', 'b'), { kind: 'notFound' });
  });

  it('exclude unreadable ones', async () => {
    await filters.save(named('good'));
    const [key = ''] = storage.keys();
    const saved = storage.get(key) as readonly object[];
    await storage.update(key, [...saved, 7, { name: 'bad' }, { ...saved[0], filter: {} }]);
    assert.deepEqual(names(), ['good']);
    await storage.update(key, 'nonsense');
    assert.deepEqual(names(), []);
  });
});
