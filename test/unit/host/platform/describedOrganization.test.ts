import assert from 'node:assert/strict';
import { connectionId, organizationId } from '../../../../src/core/model/ids';
import type { OrganizationTarget } from '../../../../src/core/model/resourceTarget';
import {
  describedOrganization,
  describeOrganization,
} from '../../../../src/host/platform/targetOrganization';

describe('what a panel of an organization keeps', () => {
  it('brings the same organization back, and nothing of what is not understood', () => {
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
