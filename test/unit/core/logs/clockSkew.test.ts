import assert from 'node:assert/strict';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import {
  EVERY_LINE,
  getClockSkew,
  type LogLine,
  MAX_CLOCK_SKEW_MS,
} from '../../../../src/core/logs/logItem';
import type { LogFeed } from '../../../../src/core/logs/logFeed';
import { type MemoryFleet, openMemoryFleet } from '../../../support/memoryFleet';
import { NumberedLog } from '../../../support/numberedLog';
import { TestFeeds } from '../../../support/testFeed';
import { waitUntil } from '../../../support/waitUntil';

const DAY_MS = 86_400_000;
/** More lines than a panel loads initially. */
const MANY = 700;

describe('log lines of machines with clock skew', () => {
  let fleet: MemoryFleet;
  let feeds: TestFeeds;
  let feed: LogFeed;
  let machine: NumberedLog;

  beforeEach(async () => {
    fleet = await openMemoryFleet();
    feeds = new TestFeeds(fleet);
    feed = feeds.open(50_000);
    machine = await NumberedLog.make(fleet, 'rover');
  });

  afterEach(async () => {
    feed.dispose();
    await fleet.close();
  });

  const lines = (): LogLine[] => feed.shown().filter((item) => item.kind === 'line');
  const messages = (): string[] => lines().map(({ message }) => message);

  async function follow(): Promise<void> {
    feed.add([machine.part]);
    await waitUntil(() => lines().length > 0 || feed.parts[0]?.state.kind === 'live');
  }

  /** Logs a line whose time is off by a number of days. */
  async function logOff(days: number): Promise<string> {
    const time = timestampFromDate(new Date(fleet.clock.now().getTime() + days * DAY_MS));
    const [number] = await machine.log(1, () => ({ time }));
    return `line ${number}`;
  }

  it('LogFeed shows a live line that is older than all loaded lines', async () => {
    await machine.log(MANY);
    await follow();
    await waitUntil(() => lines().length === 500);
    const old = await logOff(-3);
    await waitUntil(() => feed.counts.buffered === 501);
    assert.equal(messages()[0], old);
    assert.equal(lines().length, 501);
  });

  it('LogFeed shows an early live line once, regardless of later loads', async () => {
    await machine.log(MANY);
    await follow();
    await waitUntil(() => lines().length === 500);
    feed.setPaused(true);
    const old = await logOff(-3);
    await waitUntil(() => feed.counts.waiting === 1);
    await feed.loadOlder();
    assert.equal(lines().length, MANY);
    feed.setPaused(false);
    assert.equal(messages().filter((message) => message === old).length, 1);
    assert.equal(lines().length, MANY + 1);
  });

  it('LogFeed shows a line that arrived before the last lines were loaded', async () => {
    const [real, loaded] = [feeds.source, Promise.withResolvers<undefined>()];
    await machine.log(MANY);
    feeds.source = {
      tail: (...request) => real.tail(...request),
      page: async (...request) => {
        await loaded.promise;
        return real.page(...request);
      },
    };
    feed.add([machine.part]);
    await waitUntil(() => feed.parts[0]?.state.kind === 'live');
    const old = await logOff(-3);
    await waitUntil(() => feed.counts.buffered === 1);
    assert.deepEqual(messages(), []);
    loaded.resolve(undefined);
    await waitUntil(() => lines().length === 501);
    assert.equal(messages()[0], old);
  });

  it('LogFeed shows a line from the future last by time, and by receipt on request', async () => {
    await machine.log(3);
    await follow();
    await waitUntil(() => lines().length === 3);
    fleet.clock.advance(1_000);
    const future = await logOff(400);
    await waitUntil(() => lines().length === 4);
    fleet.clock.advance(1_000);
    await machine.log(1);
    await waitUntil(() => lines().length === 5);
    assert.equal(messages().at(-1), future);
    feed.takeChanges();
    feed.setOrder('receipt');
    assert.equal(feed.takeChanges().reset, true);
    assert.deepEqual(messages(), ['line 1', 'line 2', 'line 3', future, 'line 5']);
    fleet.clock.advance(1_000);
    await machine.log(1);
    await waitUntil(() => lines().length === 6);
    assert.equal(messages().at(-1), 'line 6');
    feed.setOrder('time');
    assert.equal(messages().at(-1), future);
  });

  it('LogFeed orders filtered and paused lines by receipt too', async () => {
    await machine.log(2);
    await follow();
    await waitUntil(() => lines().length === 2);
    feed.setOrder('receipt');
    feed.setPaused(true);
    fleet.clock.advance(1_000);
    const old = await logOff(-3);
    fleet.clock.advance(1_000);
    const future = await logOff(3);
    fleet.clock.advance(1_000);
    await machine.log(1);
    await waitUntil(() => feed.counts.waiting === 3);
    feed.setPaused(false);
    const expected = ['line 1', 'line 2', old, future, 'line 5'];
    assert.deepEqual(messages(), expected);
    assert.equal(await feed.setFilter({ ...EVERY_LINE, text: 'line' }), undefined);
    assert.deepEqual(messages(), expected);
  });

  it('LogFeed drops the oldest lines by time even in the order of receipt', async () => {
    feed.setOrder('receipt');
    feed.setLimit(100);
    await machine.log(50);
    await follow();
    await waitUntil(() => lines().length === 50);
    fleet.clock.advance(1_000);
    const old = await logOff(-3);
    await waitUntil(() => lines().length === 51);
    assert.equal(messages().at(-1), old);
    fleet.clock.advance(1_000);
    await machine.log(60);
    await waitUntil(() => messages().at(-1) === 'line 111');
    assert.equal(messages().includes(old), false);
    assert.equal(lines().length, feed.counts.buffered);
    assert.ok(lines().length <= 100);
  });

  it('getClockSkew is undefined up to a minute and for lines without a receipt time', async () => {
    const receivedMicros = 1_000_000_000;
    const measureSkew = (ms: number): number | undefined =>
      getClockSkew({ micros: receivedMicros + ms * 1_000, receivedMicros });
    assert.deepEqual([-60_001, -MAX_CLOCK_SKEW_MS, 0, MAX_CLOCK_SKEW_MS, 60_001].map(measureSkew), [
      -60_001,
      undefined,
      undefined,
      undefined,
      60_001,
    ]);
    assert.equal(getClockSkew({ micros: 0 }), undefined);
    await logOff(-3);
    await logOff(3);
    await machine.log(1);
    await follow();
    await waitUntil(() => lines().length === 3);
    // For lines that were loaded later, only a lower bound on the time of receipt is known.
    assert.deepEqual(lines().map(getClockSkew), [undefined, undefined, 3 * DAY_MS]);
  });
});
