import assert from 'node:assert/strict';
import { organizationId, registryItemId } from '../../../../../src/core/model/ids';
import { createDeployment } from '../../../../../src/core/modules/deploy/moduleUse';

const organization = organizationId('0a1b2c3d-0000-4000-8000-000000000000');
const versions = [{ version: '1.0.0', createdAt: undefined, files: [] }];

describe('createDeployment', () => {
  it('matches a module by the namespace and by the ID of its organization', () => {
    const id = registryItemId('acme:sonar');
    const item = { id, namespace: 'acme', organizationId: organization, name: 'sonar', versions };
    assert.deepEqual(createDeployment(item, 'latest'), {
      ids: ['acme:sonar', `${organization}:sonar`],
      version: 'latest',
      versions: ['1.0.0'],
    });
  });

  it('writes the ID of an organization without a namespace', () => {
    const id = registryItemId(`${organization}:sonar`);
    const item = { id, namespace: '', organizationId: organization, name: 'sonar', versions };
    assert.deepEqual(createDeployment(item, '1.0.0').ids, [id]);
  });
});
