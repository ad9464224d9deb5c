import assert from 'node:assert/strict';
import { EarlyStopping } from '../../../../../src/service/training/process/fit';

/**
 * Adds losses until early stopping ends the training.
 * @returns the number of epochs
 */
function run(stopping: EarlyStopping, losses: readonly number[]): number {
  for (const [index, loss] of losses.entries()) {
    stopping.add(index + 1, loss);
    if (stopping.isOver) return index + 1;
  }
  return losses.length;
}

describe('EarlyStopping', () => {
  it('stops after the patience without progress, and names the best epoch', () => {
    const stopping = new EarlyStopping(60);
    assert.equal(stopping.patience, 12);
    const losses = [1, 0.5, 0.3, ...Array<number>(57).fill(0.4)];
    assert.equal(run(stopping, losses), 15);
    assert.deepEqual(stopping.best, { epoch: 3, loss: 0.3 });
  });

  it('continues as long as the loss improves', () => {
    const stopping = new EarlyStopping(60);
    const losses = Array.from({ length: 60 }, (_, index) => 0.9 ** index);
    assert.equal(run(stopping, losses), 60);
    assert.deepEqual(stopping.best?.epoch, 60);
  });

  it('does not count tiny improvements as progress, but returns the best epoch among them', () => {
    const stopping = new EarlyStopping(40);
    const losses = Array.from({ length: 40 }, (_, index) => 1 - index * 1e-5);
    assert.equal(run(stopping, losses), 1 + stopping.patience);
    assert.equal(stopping.best?.epoch, 1 + stopping.patience);
  });

  it('waits for at least eight epochs so that short trainings run completely', () => {
    const stopping = new EarlyStopping(8);
    assert.equal(run(stopping, [1, 2, 3, 4, 5, 6, 7, 8]), 8);
    assert.deepEqual(stopping.best, { epoch: 1, loss: 1 });
  });

  it('ignores losses that are not numbers', () => {
    const stopping = new EarlyStopping(60);
    assert.equal(stopping.add(1, NaN), false);
    assert.equal(stopping.best, undefined);
    assert.equal(stopping.add(2, 3), true);
    assert.equal(stopping.add(3, Infinity), false);
    assert.deepEqual(stopping.best, { epoch: 2, loss: 3 });
  });

  it('stops a training whose losses are never numbers', () => {
    const stopping = new EarlyStopping(60);
    assert.equal(run(stopping, Array<number>(60).fill(NaN)), 12);
    assert.equal(stopping.best, undefined);
  });
});
