import assert from 'node:assert/strict';
import { meaningOf } from '../../../../../src/host/features/query/parameters/parameterMeaning';

describe('meaningOf', () => {
  it('reads from the name of a parameter what it stands for', () => {
    assert.equal(meaningOf('part_id'), 'part');
    assert.equal(meaningOf('otherPartId'), 'part');
    assert.equal(meaningOf('robot_id'), 'machine');
    assert.equal(meaningOf('machine'), 'machine');
    assert.equal(meaningOf('location_id'), 'location');
    assert.equal(meaningOf('organisation_id'), 'organization');
    assert.equal(meaningOf('org_id'), 'organization');
    assert.equal(meaningOf('component_name'), 'component');
    assert.equal(meaningOf('part_component'), 'component');
  });

  it('makes nothing up', () => {
    assert.equal(meaningOf('since'), undefined);
    assert.equal(meaningOf('forge'), undefined);
  });
});
