import assert from 'node:assert/strict';
import { parseTrialModel } from '../../../../src/core/training/parseTrialModel';

const metrics = { task: 'singleLabelClassification', labels: ['intact', 'damaged'], heldOut: {} };
const weights = [
  { name: 'classes/kernel', shape: [1, 2], dtype: 'float32' },
  { name: 'classes/bias', shape: [2], dtype: 'float32' },
];
const model = { format: 'layers-model', weightsManifest: [{ paths: ['weights.bin'], weights }] };

function parse(changes: Readonly<Record<string, unknown>> = {}): unknown {
  const files = { 'metrics.json': metrics, 'model.json': model, ...changes };
  return parseTrialModel(
    new Map([
      ['weights.bin', Uint8Array.of(1, 2, 3, 4)],
      ...Object.entries(files).map(
        ([name, value]) => [name, new TextEncoder().encode(JSON.stringify(value))] as const,
      ),
    ]),
  );
}

describe('parseTrialModel', () => {
  it('parses the task, the labels, and the weights with their shapes', () => {
    assert.deepEqual(parse(), {
      task: 'singleLabelClassification',
      labels: ['intact', 'damaged'],
      shapes: [[1, 2], [2]],
      weights: Buffer.of(1, 2, 3, 4).toString('base64'),
    });
  });

  it('rejects models of other trainers', () => {
    const createWeights = (...changed: readonly object[]): object => ({
      'model.json': { weightsManifest: [{ weights: changed }] },
    });
    for (const changes of [
      { 'metrics.json': { accuracy: 0.9 } },
      { 'metrics.json': { ...metrics, task: 'segmentation' } },
      { 'metrics.json': { ...metrics, labels: [] } },
      { 'metrics.json': { ...metrics, labels: ['intact', 7] } },
      { 'model.json': null },
      { 'model.json': { weightsManifest: [] } },
      { 'model.json': { weightsManifest: [{ weights }, { weights }] } },
      createWeights({ ...weights[0], dtype: 'int32' }),
      createWeights({ ...weights[0], quantization: { dtype: 'uint8' } }),
    ]) {
      assert.equal(parse({ ...changes }), undefined, JSON.stringify(changes));
    }
    assert.equal(parseTrialModel(new Map()), undefined);
  });
});
