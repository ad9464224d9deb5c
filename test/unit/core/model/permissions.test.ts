import assert from 'node:assert/strict';
import { toConnectionId } from '../../../../src/core/model/connection';
import { datasetId, organizationId } from '../../../../src/core/model/ids';
import {
  EVERYTHING,
  hasRight,
  NOTHING,
  PERMISSIONS_ON,
  getRights,
  toRoleScope,
  roleNeededFor,
} from '../../../../src/core/model/permissions';
import type { DatasetTarget } from '../../../../src/core/model/resourceTarget';
import { grantsPermission } from '../../../../src/service/auth/permissions';
import { isPermission } from '../../../../src/service/auth/permissions';

const dataset: DatasetTarget = {
  kind: 'dataset',
  connectionId: toConnectionId('0b2f6f1c-7a41-4d2e-9a55-0c8f1e6d4b3a'),
  organizationId: organizationId('o'),
  datasetId: datasetId('d'),
  name: 'pallets',
};

describe('permissions', () => {
  it('require only permissions that the service knows', () => {
    const permissions = Object.values(PERMISSIONS_ON).flat();
    assert.deepEqual(
      permissions.filter((permission) => !isPermission(permission)),
      [],
    );
  });

  for (const [role, rights] of [
    ['owner', ['administer', 'control', 'readData', 'readSecrets', 'writeData']],
    ['operator', ['control', 'readData']],
  ] as const) {
    it(`on data of an organization are granted to an ${role}`, () => {
      const grant = {
        role,
        resourceType: 'organization',
        resourceId: 'o',
        organizationId: 'o',
      } as const;
      const granted = new Set(
        PERMISSIONS_ON.organization.filter(
          (one) => isPermission(one) && grantsPermission(grant, one),
        ),
      );
      assert.deepEqual(getRights('organization', granted), rights);
    });
  }

  it('on datasets are read-write for owners and read-only for others with a role', () => {
    assert.deepEqual(getRights('dataset', EVERYTHING), ['administer', 'readData', 'writeData']);
    assert.deepEqual(getRights('dataset', new Set(['read_robot_data_management'])), ['readData']);
    assert.deepEqual(getRights('dataset', NOTHING), []);
  });

  it('require every permission that they consist of', () => {
    assert.equal(hasRight('dataset', new Set(['create_dataset']), 'administer'), false);
  });

  it('on training jobs are limited to owners, and have no token for menus', () => {
    const { organizationId: id, connectionId } = dataset;
    const organization = {
      kind: 'organization',
      connectionId,
      organizationId: id,
      name: '',
    } as const;
    assert.equal(hasRight('organization', EVERYTHING, 'train'), true);
    assert.equal(hasRight('organization', new Set(['write_organization']), 'train'), false);
    assert.equal(roleNeededFor(organization, 'train').name, 'owner');
    assert.ok(!getRights('organization', EVERYTHING).includes('train'));
  });

  it('on a dataset depend on its organization', () => {
    assert.deepEqual(toRoleScope(dataset), { type: 'organization', id: 'o' });
    assert.equal(roleNeededFor(dataset, 'administer').name, 'owner');
    assert.equal(roleNeededFor(dataset, 'readData').name, 'operator');
  });
});
