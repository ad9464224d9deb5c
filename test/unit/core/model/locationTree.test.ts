import assert from 'node:assert/strict';
import type { Location } from '../../../../src/core/model/entities';
import { locationId, organizationId } from '../../../../src/core/model/ids';
import { listDescendants, pathNames } from '../../../../src/core/model/locationTree';

function location(id: string, parent?: string): Location {
  return {
    id: locationId(id),
    organizationId: organizationId('o'),
    name: id.toUpperCase(),
    parentId: parent === undefined ? undefined : locationId(parent),
    machineCount: 0,
    region: '',
    owner: undefined,
    sharedWith: [],
    createdOn: undefined,
  };
}

describe('locationTree', () => {
  const all = [
    location('c', 'b'),
    location('b', 'a'),
    location('a'),
    location('d', 'b'),
    location('e'),
  ];
  const byId = new Map(all.map((one) => [one.id, one]));

  it('finds descendants at every depth, in any order', () => {
    const ids = listDescendants(locationId('a'), all).map(({ id }) => id);
    assert.deepEqual(ids.toSorted(), ['b', 'c', 'd']);
    assert.deepEqual(listDescendants(locationId('e'), all), []);
  });

  it('names the path', () => {
    assert.deepEqual(pathNames(locationId('c'), byId), ['A', 'B', 'C']);
    assert.deepEqual(pathNames(undefined, byId), []);
  });

  it('terminates for cycles', () => {
    const circle = [location('x', 'y'), location('y', 'x')];
    assert.equal(listDescendants(locationId('x'), circle).length, 1);
    const circular = new Map(circle.map((one) => [one.id, one]));
    assert.equal(pathNames(locationId('x'), circular).length, 2);
  });
});
