import assert from 'node:assert/strict';
import { serialize } from 'bson';
import { Buffer } from 'node:buffer';
import { BsonElements } from '../../../../../../src/core/query/results/bson/bsonElements';
import { PreviousElement } from '../../../../../../src/core/query/results/bson/previousElement';

/** Returns for each value whether it is recognized as a repetition of the one before it. */
function findRepeated(values: readonly unknown[]): boolean[] {
  const previous = new PreviousElement();
  return values.map((value) => {
    const elements = new BsonElements(Buffer.from(serialize({ value })), 0);
    elements.next();
    return previous.isRepeated(elements);
  });
}

describe('PreviousElement', () => {
  it('recognizes a repeated value by its type and all of its bytes', () => {
    assert.deepEqual(findRepeated(['robot-1', 'robot-1', 'robot-2', 'robot-1', 'robot-1']), [
      ...[false, true, false, false, true],
    ]);
    assert.deepEqual(findRepeated([0, false, 0, 0, null, null, 'a', 'aa']), [
      ...[false, false, false, true, false, true, false, false],
    ]);
    assert.deepEqual(findRepeated([{ a: [1] }, { a: [1] }, { a: [2] }]), [false, true, false]);
    assert.deepEqual(findRepeated(['', '', { a: 1 }, 1.5, 1.5]), [false, true, false, false, true]);
  });

  it('compares no values that are too long to cache', () => {
    const long = 'x'.repeat(1000);
    assert.deepEqual(findRepeated([long, long, 'a', long, 'a']), [
      ...[false, false, false, false, false],
    ]);
  });
});
