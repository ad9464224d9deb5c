import assert from 'node:assert/strict';
import { create } from '@bufbuild/protobuf';
import { type LogEntry, LogEntrySchema } from '../../../../src/gen/viam/common/v1/common_pb';
import { LogHub } from '../../../../src/service/logs/logHub';

const PART = 'arm-main';
const MOST_WAITING = 10_000;

function line(message: string): LogEntry {
  return create(LogEntrySchema, { message });
}

describe('tails of logs', () => {
  it('reach every reader of a part, and no other', async () => {
    const hub = new LogHub();
    const stop = new AbortController();
    const all = hub.tail(PART, () => true, stop.signal);
    const few = hub.tail(PART, ({ message }) => message === 'b', stop.signal);
    const reading = Promise.all([all.next(), few.next()]);
    hub.publish('other', [line('x')]);
    hub.publish(PART, [line('a'), line('b')]);
    const [first, second] = await reading;
    assert.deepEqual(
      [first, second].map(({ value }) => value?.lines.map(({ message }) => message)),
      [['a', 'b'], ['b']],
    );
    stop.abort();
    assert.equal((await all.next()).done, true);
    assert.equal((await few.next()).done, true);
    assert.equal(hub.isTailed(PART), false);
  });

  it('tell a slow reader how many lines it has missed', async () => {
    const hub = new LogHub();
    const stop = new AbortController();
    const tail = hub.tail(PART, () => true, stop.signal);
    const first = tail.next();
    hub.publish(PART, [line('first')]);
    assert.equal((await first).value?.missed, 0);
    for (let count = 0; count < MOST_WAITING + 5; count += 1) {
      hub.publish(PART, [line(`line ${count}`)]);
    }
    let missed = 0;
    const found: string[] = [];
    while (found.length < MOST_WAITING) {
      const { value } = await tail.next();
      missed += value?.missed ?? 0;
      found.push(...(value?.lines ?? []).map(({ message }) => message));
    }
    assert.equal(missed, 5);
    assert.deepEqual([found[0], found.at(-1)], ['line 5', `line ${MOST_WAITING + 4}`]);
    stop.abort();
    await tail.return();
  });
});
