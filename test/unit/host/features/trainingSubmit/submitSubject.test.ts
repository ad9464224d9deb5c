import assert from 'node:assert/strict';
import {
  connectionId,
  datasetId,
  organizationId,
  registryItemId,
  trainingJobId,
} from '../../../../../src/core/model/ids';
import {
  type DatasetTarget,
  type RegistryItemTarget,
  trainingJobTarget,
} from '../../../../../src/core/model/resourceTarget';
import { submitSubject } from '../../../../../src/host/features/trainingSubmit/submitSubject';

const owner = { connectionId: connectionId('c'), organizationId: organizationId('o') };

describe('the subject of a submitted training', () => {
  it('is a clicked dataset or item, with its organization', () => {
    const dataset: DatasetTarget = {
      kind: 'dataset',
      ...owner,
      datasetId: datasetId('d'),
      name: 'cartons',
    };
    const item: RegistryItemTarget = {
      kind: 'registryItem',
      ...owner,
      itemId: registryItemId('acme:trainer'),
      itemType: 'trainingScript',
      name: 'trainer',
    };
    assert.deepEqual(submitSubject(dataset), { ...owner, dataset });
    assert.deepEqual(submitSubject(item), { ...owner, item });
  });

  it('is a job that is submitted again, as the panel identifies it', () => {
    const job = { id: trainingJobId('j'), modelName: 'm', modelVersion: '1' };
    const target = trainingJobTarget(owner.connectionId, { ...owner, ...job });
    assert.deepEqual(submitSubject(target), { ...owner, job: job.id });
  });

  it('is only the organization of anything else, and empty without one', () => {
    assert.deepEqual(submitSubject({ kind: 'organization', ...owner, name: 'Acme' }), owner);
    assert.deepEqual(submitSubject(undefined), {});
    assert.deepEqual(submitSubject({ scheme: 'file' }), {});
  });
});
