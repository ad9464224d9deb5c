import assert from 'node:assert/strict';
import { PatternTooSlowError } from '../../../../../src/core/logs/logItem';
import { createMatchFinder, runnerWithin } from '../../../../../src/host/features/logs/logRowView';
import { patternMatcher } from '../../../../../src/host/features/logs/logSession';

const SHORT_LIMIT_MS = 100;
/** Limit that no expression here reaches, even on a busy machine. */
const LONG_LIMIT_MS = 60_000;
const ENDLESS = `${'a'.repeat(5_000)}!`;

describe('matching regular expressions', () => {
  const runWithin = runnerWithin(LONG_LIMIT_MS);
  const match = patternMatcher(runWithin);
  const runBriefly = runnerWithin(SHORT_LIMIT_MS);

  it('finds the matching texts', () => {
    assert.deepEqual(match(/^a.c$/u, ['abc', 'bc', 'a-c']), [true, false, true]);
    assert.deepEqual(match(/x/u, []), []);
  });

  it('stops an expression that takes too long, and continues with the next one', () => {
    assert.throws(() => patternMatcher(runBriefly)(/(a+)+$/u, [ENDLESS]), PatternTooSlowError);
    assert.deepEqual(match(/a+!$/u, [ENDLESS]), [true]);
  });

  it('passes on errors of a job', () => {
    const failure = new TypeError('no text');
    assert.throws(
      () =>
        runWithin(() => {
          throw failure;
        }),
      failure,
    );
  });

  it('finds the ranges of a plain text, whose characters have no special meaning', () => {
    const find = createMatchFinder({ text: 'a.c', isPattern: false, matchCase: false }, runWithin);
    assert.deepEqual(find(['abc A.C a.c', '']), [
      [
        [4, 7],
        [8, 11],
      ],
      [],
    ]);
    const exact = createMatchFinder({ text: '(a', isPattern: false, matchCase: true }, runWithin);
    assert.deepEqual(exact(['(A (a']), [[[3, 5]]]);
  });

  it('finds the ranges of an expression, and none if it matches nothing or takes too long', () => {
    const filter = { isPattern: true, matchCase: true };
    const find = (text: string, ...texts: string[]) =>
      createMatchFinder({ ...filter, text }, runWithin)(texts);
    assert.deepEqual(find(String.raw`\d+`, 'tick 12 of 345'), [
      [
        [5, 7],
        [11, 14],
      ],
    ]);
    assert.deepEqual(find('x*', 'abc'), [[]]);
    assert.deepEqual(find('(', 'abc'), [[]]);
    assert.deepEqual(find('', 'abc'), [[]]);
    const slow = createMatchFinder({ ...filter, text: '(a+)+$' }, runBriefly);
    assert.deepEqual(slow([ENDLESS]), [[]]);
  });

  it('finds no more ranges after a timeout', () => {
    let runs = 0;
    const find = createMatchFinder({ text: 'a', isPattern: true, matchCase: true }, (job) => {
      runs += 1;
      return runs === 1 ? { result: job() } : undefined;
    });
    assert.deepEqual(find(['a']), [[[0, 1]]]);
    assert.deepEqual([find(['a']), find(['a'])], [[[]], [[]]]);
    assert.equal(runs, 2);
  });
});
