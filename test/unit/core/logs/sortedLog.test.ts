import assert from 'node:assert/strict';
import { compareItems, type LogItem } from '../../../../src/core/logs/logItem';
import { SortedLog } from '../../../../src/core/logs/sortedLog';
import { partId } from '../../../../src/core/model/ids';
import { Random } from '../../../../src/simulate/random';

const ROUNDS = 300;

function lineAt(micros: number, key: number): LogItem {
  return {
    kind: 'line',
    key,
    micros,
    part: partId('part'),
    level: 'info',
    levelText: 'info',
    logger: '',
    message: '',
    host: '',
    stack: '',
    fields: '',
    caller: '',
  };
}

describe('SortedLog', () => {
  it('preserves order and positions through random changes', () => {
    const random = new Random('sorted log');
    const log = new SortedLog();
    let expected: LogItem[] = [];
    let key = 0;
    let first = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const before = expected;
      const batch = Array.from({ length: random.wholeBetween(1, 12) }, () => {
        key += 1;
        return lineAt(random.wholeBetween(0, 500), key);
      }).sort(compareItems);
      log.insert(batch);
      expected = [...expected, ...batch].sort(compareItems);
      if (random.chance(0.3)) {
        const dropped = log.dropFirst(random.wholeBetween(0, 8));
        expected = expected.slice(dropped.length);
      }
      if (random.chance(0.1)) {
        const removed = random.wholeBetween(0, 5);
        log.removeWhere(({ micros }) => micros % 6 === removed);
        expected = expected.filter(({ micros }) => micros % 6 !== removed);
      }
      if (random.chance(0.2) && expected.length > 0) {
        const item = random.pick(expected);
        log.remove(item);
        expected = expected.filter((one) => one !== item);
      }
      assert.deepEqual(log.all(), expected);
      const changes = log.takeChanges();
      assert.equal(changes.end - changes.first, expected.length);
      for (const [index, item] of before.entries()) {
        if (!expected.includes(item)) continue;
        const movedIndex = changes.moves.reduce(
          (at, move) => (at >= move.at ? at + move.by : at),
          first + index,
        );
        assert.equal(log.slice(movedIndex, movedIndex + 1).items[0], item);
      }
      first = changes.first;
    }
  });

  it('returns ranges of time, and positions by time', () => {
    const log = new SortedLog();
    log.insert([10, 20, 20, 30].map(lineAt));
    assert.deepEqual(
      log.between(20, 30).map(({ key }) => key),
      [1, 2],
    );
    assert.deepEqual([log.positionAt(0), log.positionAt(20), log.positionAt(31)], [0, 1, 4]);
    log.dropFirst(1);
    assert.deepEqual([log.positionAt(0), log.positionAt(20), log.positionAt(31)], [1, 1, 4]);
    assert.deepEqual(log.slice(-5, 2), { start: 1, items: log.all().slice(0, 1) });
  });

  it('reports many moves as one', () => {
    const log = new SortedLog();
    log.insert(Array.from({ length: 200 }, (_, index) => lineAt(index * 10, index)));
    log.takeChanges();
    log.insert(Array.from({ length: 200 }, (_, index) => lineAt(index * 10 + 5, 200 + index)));
    const { moves, end } = log.takeChanges();
    assert.deepEqual(moves, [{ at: 1, by: 199 }]);
    assert.equal(end, 400);
  });

  it('reports a full change to infrequent readers', () => {
    const log = new SortedLog();
    const before = Array.from({ length: 10 }, (_, index) => lineAt(index * 10, index));
    log.insert(before);
    log.takeChanges();
    const [, second] = before;
    assert.ok(second);
    for (let count = 0; count < 2_000; count += 1) log.replace(second);
    log.insert([lineAt(55, 10)]);
    const { moves, reset, end } = log.takeChanges();
    assert.deepEqual({ moves, reset, end }, { moves: [], reset: true, end: 11 });
    log.replace(second);
    assert.deepEqual(log.takeChanges().moves, [{ at: 1, by: 0 }]);
  });
});
