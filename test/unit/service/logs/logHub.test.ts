import assert from 'node:assert/strict';
import { create } from '@bufbuild/protobuf';
import { LogEntrySchema } from '../../../../src/gen/viam/common/v1/common_pb';
import { LogHub } from '../../../../src/service/logs/logHub';
import { toLogLine } from '../../../../src/service/messages/logMessages';
import type { NewLogLine } from '../../../../src/service/store/logs/logLines';

const PART = 'arm-main';
const MAX_QUEUED = 10_000;
const MEBIBYTE = 1024 * 1024;

function line(message: string, fields: Record<string, string> = {}): NewLogLine {
  return toLogLine(create(LogEntrySchema, { message, fields: [fields] }), 0);
}

describe('log tails', () => {
  it('reach every reader of a part, and no other reader', async () => {
    const unread: string[] = [];
    const hub = new LogHub((part) => {
      unread.push(part);
    });
    const stop = new AbortController();
    const tails = [
      hub.open(PART, () => true),
      hub.open(PART, ({ message }) => message === 'b'),
    ] as const;
    const [all, few] = [tails[0].read(stop.signal), tails[1].read(stop.signal)];
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
    tails.forEach((tail) => {
      tail[Symbol.dispose]();
    });
    assert.deepEqual(unread, [PART]);
  });

  it('report to a slow reader how many lines it missed', async () => {
    const hub = new LogHub();
    const stop = new AbortController();
    using open = hub.open(PART, () => true);
    const tail = open.read(stop.signal);
    const first = tail.next();
    hub.publish(PART, [line('first')]);
    assert.equal((await first).value?.missed, 0);
    for (let count = 0; count < MAX_QUEUED + 5; count += 1) {
      hub.publish(PART, [line(`line ${count}`)]);
    }
    let missed = 0;
    const found: string[] = [];
    while (found.length < MAX_QUEUED) {
      const { value } = await tail.next();
      missed += value?.missed ?? 0;
      found.push(...(value?.lines ?? []).map(({ message }) => message));
    }
    assert.equal(missed, 5);
    assert.deepEqual([found[0], found.at(-1)], ['line 5', `line ${MAX_QUEUED + 4}`]);
    stop.abort();
    await tail.return();
  });

  it('contain the lines that arrived before the first read', async () => {
    const hub = new LogHub();
    using open = hub.open(PART, () => true);
    hub.publish(PART, [line('early')]);
    const { value } = await open.read(new AbortController().signal).next();
    assert.deepEqual(
      value?.lines.map(({ message }) => message),
      ['early'],
    );
  });

  it('limit the bytes of long lines that they buffer and send at a time', async () => {
    const hub = new LogHub();
    using open = hub.open(PART, () => true);
    const long = 'x'.repeat(MEBIBYTE - 100);
    hub.publish(
      PART,
      // The result must not depend on which field of a line is long.
      Array.from({ length: 40 }, (_, index) => (index % 2 ? line(long) : line('', { long }))),
    );
    const { value } = await open.read(new AbortController().signal).next();
    assert.deepEqual([value?.lines.length, value?.missed], [2, 24]);
  });
});
