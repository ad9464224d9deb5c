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

  it('gives work that begins a turn after each slice of work that goes on', async () => {
    const work = new LongWork(SLICE_MS);
    const notes: string[] = [];
    const long = ['a', 'b', 'c'].map((name) => work.run(noteSteps(name, 4, notes)));
    await nextTurn();
    await nextTurn();
    await nextTurn();
    await work.run(noteSteps('short', 1, notes));
    assert.ok(notes.indexOf('short0') < notes.indexOf('a3'), notes.join(' '));
    await Promise.all(long);
  });

  it('runs two large works at a time, the others in their order', async () => {
    const work = new LongWork(SLICE_MS);
    const { signal } = new AbortController();
    const notes: string[] = [];
    const ends = Array.from({ length: 4 }, () => Promise.withResolvers<undefined>());
    const all = ends.map(({ promise }, index) =>
      work.runLarge(signal, async () => {
        notes.push(`begin ${index}`);
        await promise;
      }),
    );
    await nextTurn();
    assert.deepEqual(notes, ['begin 0', 'begin 1']);
    ends[1]?.resolve(undefined);
    await all[1];
    await nextTurn();
    assert.deepEqual(notes, ['begin 0', 'begin 1', 'begin 2']);
    for (const { resolve } of ends) resolve(undefined);
    await Promise.all(all);
    assert.deepEqual(notes, ['begin 0', 'begin 1', 'begin 2', 'begin 3']);
  });

  it('goes on with the next large work when one fails or is aborted before it begins', async () => {
    const work = new LongWork(SLICE_MS);
    const { signal } = new AbortController();
    const aborted = new AbortController();
    const end = Promise.withResolvers<undefined>();
    const first = [0, 1].map(() => work.runLarge(signal, () => end.promise));
    const second = work.runLarge(aborted.signal, () => Promise.resolve('never'));
    const third = work.runLarge(signal, () => Promise.resolve('third'));
    aborted.abort();
    end.reject(new Error('failed'));
    for (const one of first) await assert.rejects(one, /failed/);
    await assert.rejects(second, { name: 'AbortError' });
    assert.equal(await third, 'third');
  });
});
