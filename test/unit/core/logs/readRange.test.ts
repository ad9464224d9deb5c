import assert from 'node:assert/strict';
import { readRange } from '../../../../src/core/logs/partTail';
import { partId } from '../../../../src/core/model/ids';
import { TestSessions } from '../../../support/testSessions';
import { type MemoryFleet, openMemoryFleet } from '../../../support/memoryFleet';
import { NumberedLog } from '../../../support/numberedLog';

const LINES = 25;

describe('readRange', () => {
  let fleet: MemoryFleet;
  let sessions: TestSessions;
  let log: NumberedLog;

  beforeEach(async () => {
    fleet = await openMemoryFleet();
    sessions = new TestSessions(fleet);
    log = await NumberedLog.make(fleet, 'arm');
    // Machines log in batches in which many lines have the same timestamp.
    for (let batch = 0; batch < LINES / 5; batch += 1) {
      const { seconds, nanos } = { seconds: BigInt(1_770_000_000 + batch), nanos: 0 };
      await log.log(5, () => ({ time: { seconds, nanos } }));
    }
  });

  afterEach(async () => {
    sessions.dispose();
    await fleet.close();
  });

  for (const order of ['oldestFirst', 'newestFirst'] as const) {
    it(`returns lines in the order of the log when they are read ${order}`, async () => {
      const { entries, reached } = await readRange(
        sessions.stores().logs,
        { part: partId(log.part), order, pageSize: 7, enoughLines: LINES },
        new AbortController().signal,
      );
      assert.deepEqual(
        entries.map(({ message }) => message),
        Array.from({ length: LINES }, (_, index) => `line ${index + 1}`),
      );
      assert.equal(reached, undefined);
    });
  }

  it('ends early if lines are long', async () => {
    const message = 'x'.repeat(1_000_000);
    for (let batch = 0; batch < 10; batch += 1) {
      const seconds = BigInt(1_780_000_000 + batch);
      await log.log(6, (number) => ({ message: `${number}${message}`, time: { seconds } }));
    }
    const { entries, reached } = await readRange(
      sessions.stores().logs,
      { part: partId(log.part), order: 'newestFirst', pageSize: 1_000, enoughLines: 1_000 },
      new AbortController().signal,
    );
    assert.ok(entries.length < 45, String(entries.length));
    assert.equal(reached, entries[0]?.micros);
  });

  it('reports how far it has read if there is more', async () => {
    const { entries, reached } = await readRange(
      sessions.stores().logs,
      { part: partId(log.part), order: 'newestFirst', pageSize: 6, enoughLines: 6 },
      new AbortController().signal,
    );
    assert.deepEqual([entries[0]?.message, entries.at(-1)?.message], ['line 20', 'line 25']);
    assert.equal(reached, entries[0]?.micros);
  });
});
