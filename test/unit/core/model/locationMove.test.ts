import assert from 'node:assert/strict';
import type { Location } from '../../../../src/core/model/entities';
import { locationId, organizationId } from '../../../../src/core/model/ids';
import { planMove } from '../../../../src/core/model/locationMove';

const acme = organizationId('acme');

function location(id: string, parent?: string, more: Partial<Location> = {}): Location {
  return {
    id: locationId(id),
    organizationId: acme,
    name: id,
    parentId: parent === undefined ? undefined : locationId(parent),
    machineCount: 1,
    region: '',
    owner: { id: acme, name: 'Acme' },
    sharedWith: [],
    createdOn: undefined,
    ...more,
  };
}

/** plant > hall > cell; annex is next to plant. */
const all = [
  location('plant'),
  location('hall', 'plant'),
  location('cell', 'hall'),
  location('annex'),
];

function plan(ids: readonly string[], parent?: string, among: readonly Location[] = all): string {
  const found = planMove(
    ids.map(locationId),
    parent === undefined ? undefined : locationId(parent),
    among,
  );
  if (found.kind !== 'move') return found.kind;
  const names = found.locations.map(({ name }) => name).join(' ');
  return `${names}: ${found.inside} inside, ${found.machines} machines`;
}

describe('planMove', () => {
  it('includes the contents', () => {
    assert.equal(plan(['hall'], 'annex'), 'hall: 1 inside, 2 machines');
    assert.equal(plan(['hall']), 'hall: 1 inside, 2 machines');
  });

  it('moves several locations together, and nested ones only with their parent', () => {
    assert.equal(plan(['plant', 'cell'], 'annex'), 'plant: 2 inside, 3 machines');
    assert.equal(plan(['hall', 'annex']), 'hall: 1 inside, 2 machines');
  });

  it('prevents cycles', () => {
    assert.equal(plan(['plant'], 'plant'), 'intoItself');
    assert.equal(plan(['plant'], 'cell'), 'intoItself');
    assert.equal(plan(['annex', 'hall'], 'cell'), 'intoItself');
  });

  it('returns nothing for a location that is already there', () => {
    assert.equal(plan(['hall'], 'plant'), 'thereAlready');
    assert.equal(plan(['plant', 'annex']), 'thereAlready');
  });

  it('counts the organizations that will see the location', () => {
    const other = organizationId('other');
    const among = [
      location('plant', undefined, { sharedWith: [other] }),
      location('hall', 'plant', { sharedWith: [other, organizationId('third')] }),
      location('annex'),
    ];
    const readers = (parent?: string): number => {
      const to = parent === undefined ? undefined : locationId(parent);
      const found = planMove([locationId('annex')], to, among);
      return found.kind === 'move' ? found.readers : -1;
    };
    assert.deepEqual([readers('plant'), readers('hall')], [1, 2]);
    const within = [...among, location('cell', 'hall')];
    const found = planMove([locationId('cell')], locationId('plant'), within);
    assert.equal(found.kind === 'move' && found.readers, 0);
  });

  it('excludes locations that belong to another organization or were deleted', () => {
    const other = { id: organizationId('other'), name: 'Other' };
    const shared = [...all, location('theirs', undefined, { owner: other })];
    assert.equal(plan(['theirs'], 'plant', shared), 'shared');
    assert.equal(plan(['absent'], 'plant'), 'gone');
    assert.equal(plan(['hall'], 'absent'), 'gone');
  });
});
