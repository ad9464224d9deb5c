import assert from 'node:assert/strict';
import { connectionId, organizationId } from '../../../../src/core/model/ids';
import type { OrganizationTarget } from '../../../../src/core/model/resourceTarget';
import {
  describedOrganization,
  describeOrganization,
} from '../../../../src/host/platform/targetOrganization';

describe("the saved target of an organization's panel", () => {
  it('restores the same organization, and nothing for invalid text', () => {
    const target: OrganizationTarget = {
      kind: 'organization',
      connectionId: connectionId('c'),
      organizationId: organizationId('o'),
      name: 'Acme',
    };
    assert.deepEqual(describedOrganization(describeOrganization(target)), target);
    for (const text of ['', '{}', 'null', '{"connection":1,"organization":"o","name":""}']) {
      assert.equal(describedOrganization(text), undefined);
    }
  });
});
