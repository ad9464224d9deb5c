import '../../../../support/plainVscode';
import assert from 'node:assert/strict';
import { getMeaning } from '../../../../../src/host/features/query/promptForParameters';

describe('getMeaning', () => {
  it('is derived from the name of a parameter', () => {
    assert.equal(getMeaning('part_id'), 'part');
    assert.equal(getMeaning('otherPartId'), 'part');
    assert.equal(getMeaning('robot_id'), 'machine');
    assert.equal(getMeaning('machine'), 'machine');
    assert.equal(getMeaning('location_id'), 'location');
    assert.equal(getMeaning('organisation_id'), 'organization');
    assert.equal(getMeaning('org_id'), 'organization');
    assert.equal(getMeaning('component_name'), 'component');
    assert.equal(getMeaning('part_component'), 'component');
  });

  it('is undefined for other names', () => {
    assert.equal(getMeaning('since'), undefined);
    assert.equal(getMeaning('forge'), undefined);
  });
});
