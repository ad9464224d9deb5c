import assert from 'node:assert/strict';
import { LongWork } from '../../../src/base/longWork';
import { yieldToEventLoop } from '../../../src/base/slices';

/** Duration that makes each step a separate slice. */
const SLICE_MS = 0;
const LONG_MS = 60_000;
const LONG_TURN_MS = 20;
/** Maximum time by which a timer can fire early, in milliseconds. */
const TIMER_MS = 1;

/** Yields steps that each add their number to a list. */
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
  it('runs one slice in each tick, of one task after the other', async () => {
    const work = new LongWork({ sliceMs: SLICE_MS });
    const notes: string[] = [];
    const both = Promise.all([
      work.run(noteSteps('a', 3, notes)),
      work.run(noteSteps('b', 2, notes)),
    ]);
    const countsAtTurns: number[] = [];
    for (let turn = 0; turn < 5; turn += 1) {
      await yieldToEventLoop();
      countsAtTurns.push(notes.length);
    }
    assert.deepEqual(countsAtTurns, [1, 2, 3, 4, 5]);
    assert.deepEqual(await both, ['a', 'b']);
    assert.deepEqual(notes, ['a0', 'a1', 'b0', 'a2', 'b1']);
  });

  it('runs steps that take less than a slice in one tick', async () => {
    const notes: string[] = [];
    const result = new LongWork({ sliceMs: LONG_MS }).run(noteSteps('a', 3, notes));
    await yieldToEventLoop();
    assert.deepEqual(notes, ['a0', 'a1', 'a2']);
    assert.equal(await result, 'a');
  });

  it('runs one slice in a tick, even after another task', async () => {
    const work = new LongWork({ sliceMs: LONG_MS });
    const notes: string[] = [];
    await work.run(noteSteps('a', 1, notes));
    const second = work.run(noteSteps('b', 1, notes));
    assert.deepEqual(notes, ['a0']);
    assert.equal(await second, 'b');
  });

  it('rejects with the error of a step, and continues with other work', async () => {
    const work = new LongWork({ sliceMs: SLICE_MS });
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
    const result = new LongWork({ sliceMs: SLICE_MS }).run(
      noteSteps('a', 3, notes),
      controller.signal,
    );
    await yieldToEventLoop();
    controller.abort();
    await assert.rejects(result, { name: 'AbortError' });
    assert.deepEqual(notes, ['a0']);
  });

  it('gives new work a tick after each slice of running work', async () => {
    const work = new LongWork({ sliceMs: SLICE_MS });
    const notes: string[] = [];
    const long = ['a', 'b', 'c'].map((name) => work.run(noteSteps(name, 4, notes)));
    await yieldToEventLoop();
    await yieldToEventLoop();
    await yieldToEventLoop();
    await work.run(noteSteps('short', 1, notes));
    assert.ok(notes.indexOf('short0') < notes.indexOf('a3'), notes.join(' '));
    await Promise.all(long);
  });

  it('rests after each tick for a time that depends on its duration', async () => {
    const turns: number[] = [];
    const rests: number[] = [];
    const work = new LongWork({
      sliceMs: SLICE_MS,
      getRestMs: (turnMs) => {
        turns.push(turnMs);
        return LONG_TURN_MS;
      },
    });
    let end = -Infinity;
    const steps = function* (): Generator<undefined, void, void> {
      for (let count = 0; count < 3; count += 1) {
        const start = performance.now();
        rests.push(start - end);
        while (performance.now() - start < LONG_TURN_MS);
        end = performance.now();
        yield;
      }
    };
    await work.run(steps());
    for (const turnMs of turns) assert.ok(turnMs >= LONG_TURN_MS, `${turnMs} ms`);
    assert.equal(turns.length, 3);
    for (const restMs of rests) assert.ok(restMs >= LONG_TURN_MS - TIMER_MS, `${restMs} ms`);
  });

  it('counts the code that it resumes as part of the tick', async () => {
    const turns: number[] = [];
    const work = new LongWork({
      sliceMs: SLICE_MS,
      getRestMs: (turnMs) => turns.push(turnMs) && 0,
    });
    await work.waitForTurn();
    const start = performance.now();
    while (performance.now() - start < LONG_TURN_MS);
    await yieldToEventLoop();
    assert.equal(turns.length, 1);
    assert.ok((turns[0] ?? 0) >= LONG_TURN_MS, `${turns[0]} ms`);
  });
});
