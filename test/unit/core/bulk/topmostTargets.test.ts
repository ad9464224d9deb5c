import assert from 'node:assert/strict';
import { topmostTargets } from '../../../../src/core/bulk/topmostTargets';
import {
  connectionId,
  fragmentId,
  locationId,
  machineId,
  organizationId,
  partId,
} from '../../../../src/core/model/ids';
import type { ResourceTarget } from '../../../../src/core/model/resourceTarget';

const base = { connectionId: connectionId('c'), organizationId: organizationId('o') };

function location(id: string): ResourceTarget {
  return { ...base, kind: 'location', locationId: locationId(id), name: id };
}

function machine(id: string, at: string): ResourceTarget {
  const pathIds = { locationId: locationId(at), machineId: machineId(id) };
  return { ...base, ...pathIds, kind: 'machine', name: id };
}

function part(id: string, of: string, at: string): ResourceTarget {
  const pathIds = { locationId: locationId(at), machineId: machineId(of), partId: partId(id) };
  return { ...base, ...pathIds, kind: 'part', machineName: of, name: id };
}

const fragment: ResourceTarget = {
  ...base,
  kind: 'fragment',
  fragmentId: fragmentId('f'),
  name: 'f',
};

describe('topmostTargets', () => {
  /** `line` is in `hall`, `hall` is in `plant`. */
  const parents = new Map([
    [locationId('line'), locationId('hall')],
    [locationId('hall'), locationId('plant')],
  ]);

  function names(...targets: readonly ResourceTarget[]): readonly string[] {
    return topmostTargets(targets, (id) => parents.get(id)).map(({ name }) => name);
  }

  it('omits the descendants of other targets', () => {
    const inside = [machine('m', 'line'), part('p', 'x', 'hall'), location('line')];
    assert.deepEqual(names(location('plant'), ...inside, location('lab')), ['plant', 'lab']);
    assert.deepEqual(names(part('p', 'm', 'lab'), machine('m', 'lab')), ['m']);
  });

  it('includes other targets and fragments once', () => {
    assert.deepEqual(names(machine('m', 'line'), machine('m', 'line'), fragment, location('lab')), [
      'm',
      'f',
      'lab',
    ]);
  });

  it('terminates when locations form a cycle', () => {
    const circle = (id: string) => locationId(id === 'a' ? 'b' : 'a');
    assert.equal(topmostTargets([machine('m', 'a')], circle).length, 1);
  });
});
