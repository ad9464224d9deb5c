import assert from 'node:assert/strict';
import { LongWork } from '../../../src/base/longWork';
import { nextTurn } from '../../../src/base/slices';

/** Each step is a slice. */
const SLICE_MS = 0;
const LONG_MS = 60_000;

/** Steps that note themselves in a list. */
function* noteSteps(
  name: string,
  count: number,
  notes: string[],
): Generator<undefined, string, void> {
  for (let step = 0; step < count; step += 1) {
    notes.push(`${name}${step}`);
    yield;
  }
  return name;
}

describe('LongWork', () => {
  it('runs a slice in each turn, of one work after the other', async () => {
    const work = new LongWork(SLICE_MS);
    const notes: string[] = [];
    const both = Promise.all([
      work.run(noteSteps('a', 3, notes)),
      work.run(noteSteps('b', 2, notes)),
    ]);
    const countsAtTurns: number[] = [];
    for (let turn = 0; turn < 5; turn += 1) {
      countsAtTurns.push(notes.length);
      await nextTurn();
    }
    assert.deepEqual(countsAtTurns, [1, 2, 3, 4, 5]);
    assert.deepEqual(await both, ['a', 'b']);
    assert.deepEqual(notes, ['a0', 'a1', 'b0', 'a2', 'b1']);
  });

  it('runs steps that take less than a slice without waiting for a turn', async () => {
    const notes: string[] = [];
    const result = new LongWork(LONG_MS).run(noteSteps('a', 3, notes));
    assert.deepEqual(notes, ['a0', 'a1', 'a2']);
    assert.equal(await result, 'a');
  });

  it('runs one slice in a turn, although it follows another work', async () => {
    const work = new LongWork(LONG_MS);
    const notes: string[] = [];
    await work.run(noteSteps('a', 1, notes));
    const second = work.run(noteSteps('b', 1, notes));
    assert.deepEqual(notes, ['a0']);
    assert.equal(await second, 'b');
  });

  it('rejects with the error of a step, and goes on with other work', async () => {
    const work = new LongWork(SLICE_MS);
    const notes: string[] = [];
    const failing = work.run(
      (function* (): Generator<undefined, void, void> {
        yield;
        throw new Error('failed');
      })(),
    );
    const other = work.run(noteSteps('a', 2, notes));
    await assert.rejects(failing, /failed/);
    assert.equal(await other, 'a');
  });

  it('stops when the signal aborts', async () => {
    const controller = new AbortController();
    const notes: string[] = [];
    const result = new LongWork(SLICE_MS).run(noteSteps('a', 3, notes), controller.signal);
    controller.abort();
    await assert.rejects(result, { name: 'AbortError' });
    assert.deepEqual(notes, ['a0']);
  });
});
