import assert from 'node:assert/strict';
import { ProgressReader } from '../../../../src/core/training/trainingLogReader';

function read(...lines: readonly string[]) {
  const reader = new ProgressReader();
  for (const line of lines) reader.add(line);
  const { epoch, epochs, points } = reader.progress;
  return {
    epoch,
    epochs,
    points: points.map((point) => [point.epoch, Object.fromEntries(point.metrics)]),
  };
}

describe('training progress', () => {
  it('is unknown before the first epoch', () => {
    assert.deepEqual(read('Reading 120 images', 'loss: 3', '12/12 [===] - loss: 3'), {
      epoch: undefined,
      epochs: undefined,
      points: [],
    });
  });

  it('is parsed from one line for each epoch', () => {
    assert.deepEqual(
      read(
        'Epoch 1/40 - loss: 0.9 - accuracy: 0.5',
        'Epoch 2/40 - loss: 4.1e-1 - accuracy: 0.91 - val_loss: .5 - val_accuracy: 0.875',
      ),
      {
        epoch: 2,
        epochs: 40,
        points: [
          [1, { loss: 0.9, accuracy: 0.5 }],
          [2, { loss: 0.41, accuracy: 0.91, val_loss: 0.5, val_accuracy: 0.875 }],
        ],
      },
    );
  });

  it('is parsed from the two lines of Keras, of which the last counts', () => {
    assert.deepEqual(
      read(
        'Epoch 1/3',
        ' 3/12 [=====>......] - ETA: 1s - loss: 2.4',
        '12/12 [============] - 1s 5ms/step - loss: 0.4 - accuracy: 0.9',
        'Epoch 2/3',
        '12/12 ━━━ 1s 5ms/step - accuracy: 0.95 - loss: 0.3',
        'Epoch 3/3',
      ),
      {
        epoch: 3,
        epochs: 3,
        points: [
          [1, { loss: 0.4, accuracy: 0.9 }],
          [2, { accuracy: 0.95, loss: 0.3 }],
        ],
      },
    );
  });

  it('is parsed from other formats', () => {
    assert.deepEqual(read('INFO train: Epoch [3/40], Loss: 0.41, Acc=0.9'), {
      epoch: 3,
      epochs: 40,
      points: [[3, { loss: 0.41, acc: 0.9 }]],
    });
  });

  it('restarts with a restarted training', () => {
    const { epoch, points } = read(
      'Epoch 1/4 - loss: 3',
      'Epoch 2/4 - loss: 2',
      'The service was restarted. The training starts over.',
      'Epoch 1/4 - loss: 2.9',
    );
    assert.equal(epoch, 1);
    assert.deepEqual(points, [[1, { loss: 2.9 }]]);
  });

  it('ignores values that are not numbers, and lines that only name an epoch', () => {
    assert.deepEqual(
      read(
        'Epoch 1/4 - loss: nan - time: 5s - note: good - val_loss: 1.',
        'Epoch 00001: val_loss improved from 2 to 1',
        'Restoring the weights of the best epoch: 1.',
      ),
      { epoch: 1, epochs: 4, points: [[1, { val_loss: 1 }]] },
    );
  });

  it('is parsed from hostile lines in linear time', () => {
    for (const line of [
      `Epoch 1/2 ${'a '.repeat(100_000)}`,
      `Epoch 1/2 - ${'loss: '.repeat(100_000)}`,
      `Epoch 2/2 - ${'x'.repeat(200_000)}`,
      `Epoch ${' '.repeat(200_000)}`,
    ]) {
      assert.deepEqual(read(line).points, []);
    }
  });
});
