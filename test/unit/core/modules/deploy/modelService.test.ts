import assert from 'node:assert/strict';
import type { PackageEntry } from '../../../../../src/core/model/registryPackage';
import {
  addModelService,
  addVisionService,
  modelFiles,
  readsPackage,
  runnersIn,
} from '../../../../../src/core/modules/deploy/modelService';

function entries(...names: string[]): readonly PackageEntry[] {
  return names.map((name) => ({ name, size: 1, isDirectory: name.endsWith('/') }));
}

describe('modelFiles', () => {
  it('finds files that machines run, in the format of the package', () => {
    const files = entries('model.json', 'weights.bin', 'model.onnx', 'labels.txt', 'x.tflite');
    assert.deepEqual(modelFiles(files, 'onnx', 'defects'), {
      framework: 'onnx',
      model: 'model.onnx',
      labels: 'labels.txt',
    });
    assert.equal(modelFiles(files, 'unspecified', 'defects')?.model, 'x.tflite');
  });

  it('returns the folder of a saved model, and the file with the shortest path', () => {
    const saved = modelFiles(entries('m/', 'm/saved_model.pb', 'm/labels.txt'), 'tensorflow', 'm');
    assert.deepEqual(saved, { framework: 'tensorflow', model: 'm', labels: 'm/labels.txt' });
    assert.equal(modelFiles(entries('old/a.onnx', './b.onnx'), 'onnx', 'm')?.model, 'b.onnx');
  });

  it('returns the usual names if no file list exists', () => {
    assert.deepEqual(modelFiles(entries('archive.tar.gz'), 'tflite', 'defects'), {
      framework: 'tflite',
      model: 'defects.tflite',
      labels: 'labels.txt',
    });
    assert.equal(modelFiles([], 'unspecified', 'defects'), undefined);
  });

  it('finds nothing in unsupported formats', () => {
    assert.equal(modelFiles(entries('model.json', 'weights.bin'), 'tensorflow', 'm'), undefined);
  });
});

describe('services that use a model', () => {
  const files = { framework: 'onnx', model: 'model.onnx', labels: 'labels.txt' } as const;
  const runner = 'acme:mlmodel:onnx';

  it('read it from its package, and are used by a vision service', () => {
    const added = addModelService('{}', { packageName: 'defects', model: runner, files });
    const text = addVisionService(added.text, added.name);
    assert.deepEqual(JSON.parse(text), {
      services: [
        {
          name: 'defects-model',
          api: 'rdk:service:mlmodel',
          model: runner,
          attributes: {
            model_path: '${packages.ml_model.defects}/model.onnx',
            label_path: '${packages.ml_model.defects}/labels.txt',
          },
        },
        {
          name: 'defects-vision',
          api: 'rdk:service:vision',
          model: 'rdk:builtin:mlmodel',
          attributes: { mlmodel_name: 'defects-model' },
        },
      ],
    });
    assert.equal(readsPackage(text, 'defects'), true);
    assert.equal(readsPackage(text, 'defect'), false);
    assert.deepEqual(runnersIn(text), [{ moduleId: undefined, model: runner }]);
  });

  it('get names that are unique in the config', () => {
    const taken = '{"components":[{"name":"defects-model"}]}';
    const { name } = addModelService(taken, { packageName: 'defects', model: runner, files });
    assert.equal(name, 'defects-model-2');
  });

  it('are recognized by their type in older configs', () => {
    const old =
      '{"services":[{"type":"mlmodel","namespace":"rdk","model":"a:b:c"},{"type":"vision"}]}';
    assert.deepEqual(runnersIn(old), [{ moduleId: undefined, model: 'a:b:c' }]);
  });
});
