import '../../../../../support/plainVscode';
import assert from 'node:assert/strict';
import { type FleetError, isCanceled } from '../../../../../../src/core/api/errors';
import { readTrialModel } from '../../../../../../src/host/features/data/trials/trialSession';
import { rawArchive } from '../../../../../support/archives';
import { LABELS, TrialFleet } from './trialFleet';

const { signal } = new AbortController();

describe('readTrialModel', function () {
  this.timeout(120_000);
  let fleet: TrialFleet;

  beforeEach(async () => {
    fleet = await TrialFleet.open();
  });

  afterEach(() => fleet[Symbol.asyncDispose]());

  async function read(name: string): ReturnType<typeof readTrialModel> {
    return readTrialModel(fleet.session.stores.registry, await fleet.version(name), signal);
  }

  it('reads the task, the labels, and the weights of a model that the service trained', async () => {
    const model = await read('carton-check');
    assert.deepEqual([model.task, model.labels], ['singleLabelClassification', LABELS]);
    const count = model.shapes.reduce(
      (total, shape) => total + shape.reduce((product, length) => product * length, 1),
      0,
    );
    assert.equal(Buffer.from(model.weights, 'base64').length, 4 * count);
  });

  for (const [title, archive] of [
    ['of a training script', rawArchive([{ path: 'model.tflite', content: 'x' }])],
    ['with metrics of another kind', rawArchive([{ path: 'metrics.json', content: '{"task":1}' }])],
    ['that is not an archive', Buffer.from('not an archive')],
  ] as const) {
    it(`rejects a model ${title}`, async () => {
      await fleet.upload('other', archive);
      await assert.rejects(read('other'), (error: FleetError) => {
        assert.equal(error.kind, 'unsupported');
        assert.match(error.message, /^You can't try "other 1\.0\.0" here\./);
        return true;
      });
    });
  }

  it('stops when it is canceled', async () => {
    const version = await fleet.version('carton-check');
    const { registry } = fleet.session.stores;
    await assert.rejects(readTrialModel(registry, version, AbortSignal.abort()), isCanceled);
  });
});
