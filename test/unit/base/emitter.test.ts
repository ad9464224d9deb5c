import assert from 'node:assert/strict';
import { Emitter } from '../../../src/base/emitter';

describe('Emitter', () => {
  it('calls listeners in order until they are disposed of', () => {
    const heard: string[] = [];
    const emitter = new Emitter<string>();
    const first = emitter.event((word) => heard.push(`1 ${word}`));
    emitter.event((word) => heard.push(`2 ${word}`));
    emitter.fire('a');
    first.dispose();
    emitter.fire('b');
    assert.deepEqual(heard, ['1 a', '2 a', '2 b']);
  });

  it('goes on after a listener that throws', () => {
    const errors: unknown[] = [];
    const heard: number[] = [];
    const emitter = new Emitter<number>((error) => errors.push(error));
    emitter.event(() => {
      throw new Error('bad listener');
    });
    emitter.event((value) => heard.push(value));
    emitter.fire(1);
    assert.deepEqual(heard, [1]);
    assert.equal(errors.length, 1);
  });

  it('is silent after its disposal', () => {
    const heard: number[] = [];
    const emitter = new Emitter<number>();
    emitter.event((value) => heard.push(value));
    emitter.dispose();
    emitter.fire(1);
    emitter.event((value) => heard.push(value));
    emitter.fire(2);
    assert.deepEqual(heard, []);
  });
});
