import assert from 'node:assert/strict';
import { Emitter, filterEvent } from '../../../src/base/emitter';

describe('Emitter', () => {
  it('calls listeners in order until they are disposed of', () => {
    const received: string[] = [];
    const emitter = new Emitter<string>();
    const first = emitter.event((word) => received.push(`1 ${word}`));
    emitter.event((word) => received.push(`2 ${word}`));
    emitter.fire('a');
    first.dispose();
    emitter.fire('b');
    assert.deepEqual(received, ['1 a', '2 a', '2 b']);
  });

  it('continues after a listener that throws', () => {
    const errors: unknown[] = [];
    const received: number[] = [];
    const emitter = new Emitter<number>((error) => errors.push(error));
    emitter.event(() => {
      throw new Error('bad listener');
    });
    emitter.event((value) => received.push(value));
    emitter.fire(1);
    assert.deepEqual(received, [1]);
    assert.equal(errors.length, 1);
  });

  it('is silent after its disposal', () => {
    const received: number[] = [];
    const emitter = new Emitter<number>();
    emitter.event((value) => received.push(value));
    emitter.dispose();
    emitter.fire(1);
    emitter.event((value) => received.push(value));
    emitter.fire(2);
    assert.deepEqual(received, []);
  });
});

describe('filterEvent', () => {
  it('passes on the occurrences that match until the subscription ends', () => {
    const received: number[] = [];
    const emitter = new Emitter<number>();
    const subscription = filterEvent(
      emitter.event,
      (value) => value > 1,
    )((value) => received.push(value));
    emitter.fire(1);
    emitter.fire(2);
    subscription.dispose();
    emitter.fire(3);
    assert.deepEqual(received, [2]);
  });
});
