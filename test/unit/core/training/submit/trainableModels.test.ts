import assert from 'node:assert/strict';
import type { RegistryItem } from '../../../../../src/core/model/registryItem';
import type { TrainingJob } from '../../../../../src/core/model/trainingJob';
import { TrainableModels } from '../../../../../src/core/training/submit/trainableModels';

type Item = Pick<RegistryItem, 'name' | 'type' | 'versions'>;
type Job = Pick<TrainingJob, 'modelName' | 'modelVersion' | 'status'>;

function item(name: string, type: Item['type'], ...versions: string[]): Item {
  return {
    name,
    type,
    versions: versions.map((version) => ({ version, createdAt: undefined, files: [] })),
  };
}

function job(modelName: string, modelVersion: string, status: Job['status']): Job {
  return { modelName, modelVersion, status };
}

describe('trainable models', () => {
  const models = new TrainableModels(
    [item('defects', 'mlModel', '0.2.0', '0.1.0'), item('trainer', 'trainingScript', '1.0.0')],
    [
      job('defects', '0.2.1', 'inProgress'),
      job('defects', '0.2.2', 'failed'),
      job('pallets', '0.1.0', 'pending'),
      job('boxes', '2024-01-01', 9),
    ],
  );

  it('are those of the registry, and those of running jobs', () => {
    const names = models.all.map(({ name }) => name);
    assert.deepEqual(names, ['boxes', 'defects', 'pallets']);
    assert.equal(models.isUsedByOtherItem('trainer'), true);
    assert.equal(models.isUsedByOtherItem('defects'), false);
  });

  it('exclude those of failed or canceled jobs, whose versions still count', () => {
    const after = new TrainableModels(
      [item('empty', 'mlModel'), item('trainer', 'trainingScript', '1.0.0')],
      [
        job('typo', '0.1.0', 'failed'),
        job('stopped', '0.1.0', 'canceled'),
        job('trainer', '2.0.0', 'failed'),
      ],
    );
    assert.deepEqual(
      after.all.map(({ name }) => name),
      ['empty'],
    );
    assert.equal(after.has('typo'), false);
    assert.equal(after.isUsedByOtherItem('trainer'), true);
    assert.equal(after.nextVersion('typo'), '0.1.1');
  });

  it('cannot get an existing version or one in training, also in an unknown state', () => {
    assert.deepEqual(
      ['0.1.0', '0.2.1', '0.2.2'].map((version) => models.isTaken('defects', version)),
      [true, true, false],
    );
    assert.equal(models.isTaken('boxes', '2024-01-01'), true);
  });

  it('get a version that no one has used', () => {
    assert.equal(models.nextVersion('defects'), '0.2.3');
    assert.equal(models.nextVersion('pallets'), '0.1.1');
    assert.equal(models.nextVersion('new'), '0.1.0');
    assert.equal(models.nextVersion('boxes'), '0.1.0');
  });

  it('continue their previous numbering', () => {
    const next = (...versions: readonly string[]): string =>
      new TrainableModels([item('defects', 'mlModel', ...versions)], []).nextVersion('defects');
    assert.equal(next('1.0', '1.1'), '1.2');
    assert.equal(next('1.9', '1.10', 'first'), '1.11');
    assert.equal(next('v3'), 'v4');
    assert.equal(next('7', '0.2.0'), '0.2.1');
    assert.equal(next('1714651234567'), '0.1.0');
  });
});
