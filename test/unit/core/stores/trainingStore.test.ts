import assert from 'node:assert/strict';
import { registryItemId } from '../../../../src/core/model/ids';
import { TrainingFleet } from '../../../support/trainingFleet';

describe('TrainingStore', () => {
  let fleet: TrainingFleet;

  beforeEach(async () => {
    fleet = await TrainingFleet.open();
  });

  afterEach(() => fleet.close());

  it('submits all that a job of a script is told, so that it can be submitted again', async () => {
    const { stores, organizationId, datasetId } = fleet;
    await stores.registry.uploadPackage({
      ...{ organization: organizationId, name: 'learn', version: '1.0.0', type: 'trainingScript' },
      metadata: { model_type: 'object_detection', model_framework: 'tflite' },
      read: async function* () {
        yield await Promise.resolve(Buffer.from('script'));
      },
    });
    const script = { itemId: registryItemId(`${organizationId}:learn`), version: '1.0.0' };
    const told = { script, arguments: { comes_to: 'fails' }, container: 'python:3' };
    const model = { modelName: 'cups', modelVersion: '1.0.0' };
    const id = await stores.training.submitCustom({ organizationId, datasetId, ...model, ...told });
    const job = await stores.training.get(id);
    assert.deepEqual(
      { script: job.script, arguments: job.arguments, container: job.container },
      told,
    );
    const again = { ...model, modelVersion: '1.0.1', script };
    const other = await stores.training.submitCustom({ organizationId, datasetId, ...again });
    assert.equal((await stores.training.get(other)).container, '');
  });
});
