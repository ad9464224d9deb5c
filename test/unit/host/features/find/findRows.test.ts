import assert from 'node:assert/strict';
import { connectionId, organizationId } from '../../../../../src/core/model/ids';
import { type FindEntry, FindRows } from '../../../../../src/host/features/find/findIndex';

function organization(id: string, name = id): FindEntry {
  const target = {
    kind: 'organization',
    connectionId: connectionId('c'),
    organizationId: organizationId(id),
    name,
  } as const;
  return { target, path: [] };
}

function names({ entries }: FindRows): readonly string[] {
  return entries.map(({ target }) => target.name);
}

const [first, second, third] = [organization('1'), organization('2'), organization('3')] as const;

describe('FindRows', () => {
  it('appends new matches, regardless of their rank', () => {
    const rows = new FindRows(10);
    rows.set([second]);
    assert.equal(rows.append([first, second, third]), true);
    assert.deepEqual(names(rows), ['2', '1', '3']);
  });

  it('retains the rows that are no longer among the best', () => {
    const rows = new FindRows(2);
    rows.set([second, third]);
    assert.equal(rows.append([first, second]), false);
    assert.deepEqual(names(rows), ['2', '3']);
  });

  it('updates a row in its position', () => {
    const rows = new FindRows(10);
    rows.set([first, second]);
    assert.equal(rows.append([organization('1', 'renamed'), second]), true);
    assert.deepEqual(names(rows), ['renamed', '2']);
    assert.equal(rows.append(rows.entries), false);
  });

  it('lists no more matches than its limit', () => {
    const rows = new FindRows(2);
    rows.set([first, second, third]);
    assert.deepEqual(names(rows), ['1', '2']);
  });
});
