import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readDemoData } from '../../../../src/service/demo/demoData';
import { demoArchive } from '../../../../src/service/demo/registrySteps';
import { CustomTrainer } from '../../../../src/service/training/custom/customTrainer';
import { describeWithPython } from '../../../support/withPython';
import { TestFolder } from '../../../support/archives';

describeWithPython('the training script of the demo fleet', () => {
  it('trains on a dataset, and reports its progress', async () => {
    using folder = new TestFolder();
    const script = readDemoData()
      .flatMap(({ registry }) => registry.packages)
      .find(({ type }) => type === 'trainingScript');
    assert.ok(script);
    const boxes = Array.from({ length: 20 }, (_, index) => ({
      image_path: 'none.png',
      bounding_box_annotations: [
        {
          annotation_label: 'carton',
          x_min_normalized: 0.2 + index / 1000,
          x_max_normalized: 0.6,
          y_min_normalized: 0.3,
          y_max_normalized: 0.7,
        },
      ],
    }));
    const outputFolder = join(folder.path, 'output');
    mkdirSync(outputFolder);
    const lines: string[] = [];
    await new CustomTrainer({ environment: process.env }).run(
      {
        kind: 'custom',
        folder: folder.path,
        datasetFile: folder.file(
          'dataset.jsonl',
          boxes.map((line) => JSON.stringify(line)).join('\n'),
        ),
        outputFolder,
        archive: folder.file('script.tar.gz', demoArchive(script.files, new Date(0))),
        arguments: { num_epochs: '20' },
      },
      {
        signal: AbortSignal.timeout(120_000),
        log: async ({ message }) => {
          await Promise.resolve(lines.push(message));
        },
      },
    );
    assert.match(
      lines.at(-1) ?? '',
      /^Epoch 20\/20 - loss: 0\.0\d+ - val_loss: \S+ - val_iou: 0\.[89]/,
    );
    assert.deepEqual(readdirSync(outputFolder).sort(), [
      'labels.txt',
      'metrics.json',
      'model.json',
    ]);
    assert.equal(readFileSync(join(outputFolder, 'labels.txt'), 'utf8'), 'carton\n');
  });
});
