import assert from 'node:assert/strict';
import type { Interceptor } from '@connectrpc/connect';
import { clientsOver } from '../../../../src/core/api/fleetClients';
import { registryItemId } from '../../../../src/core/model/ids';
import { TrainingStore } from '../../../../src/core/stores/trainingStore';
import { signedInTransport } from '../../../../src/simulate/fleet/fleetMachines';
import { TrainingFleet } from '../../../support/trainingFleet';

describe('TrainingStore', () => {
  let fleet: TrainingFleet;

  beforeEach(async () => {
    fleet = await TrainingFleet.open();
  });

  afterEach(() => fleet.close());

  it('submits all arguments of a script job so that it can be submitted again', async () => {
    const { stores, organizationId, datasetId } = fleet;
    await stores.registry.uploadPackage({
      organization: organizationId,
      name: 'learn',
      version: '1.0.0',
      type: 'trainingScript',
      metadata: { model_type: 'object_detection', model_framework: 'tflite' },
      read: async function* () {
        yield await Promise.resolve(Buffer.from('script'));
      },
    });
    const script = { itemId: registryItemId(`${organizationId}:learn`), version: '1.0.0' };
    const scriptOptions = { script, arguments: { comes_to: 'fails' }, container: 'python:3' };
    const model = { modelName: 'cups', modelVersion: '1.0.0' };
    const id = await stores.training.submitCustom({
      organizationId,
      datasetId,
      ...model,
      ...scriptOptions,
    });
    const job = await stores.training.get(id);
    assert.deepEqual(
      { script: job.script, arguments: job.arguments, container: job.container },
      scriptOptions,
    );
    const again = { ...model, modelVersion: '1.0.1', script };
    const other = await stores.training.submitCustom({ organizationId, datasetId, ...again });
    assert.equal((await stores.training.get(other)).container, '');
  });

  it('checks whether the service runs scripts without reading the jobs', async () => {
    const { fleet: service, stores, organizationId } = fleet;
    await fleet.until(await fleet.submit('model'), 'completed');
    const lengths: number[] = [];
    const count: Interceptor = (next) => async (request) => {
      const response = await next(request);
      if (!response.stream) lengths.push((response.message as { jobs?: [] }).jobs?.length ?? 0);
      return response;
    };
    const { id: entity, secret: payload } = service.key;
    const transport = await signedInTransport(
      (interceptors) => service.wire([...interceptors, count]),
      { type: 'api-key', entity, payload },
    );
    const training = new TrainingStore(clientsOver(transport));
    assert.equal(await training.runsScripts(organizationId), true);
    assert.deepEqual(lengths.slice(-1), [0]);
    assert.equal((await stores.training.list(organizationId)).length, 1);
    training.dispose();
  });
});
