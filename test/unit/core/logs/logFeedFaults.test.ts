import assert from 'node:assert/strict';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { FleetError } from '../../../../src/core/api/errors';
import type { LogFeed } from '../../../../src/core/logs/logFeed';
import { EVERY_LINE, type LogGap } from '../../../../src/core/logs/logItem';
import type { PartId } from '../../../../src/core/model/ids';
import { type MemoryFleet, openMemoryFleet } from '../../../support/memoryFleet';
import { NumberedLog } from '../../../support/numberedLog';
import { TestFeeds } from '../../../support/testFeed';
import { waitUntil } from '../../../support/waitUntil';

const HOUR_MS = 3_600_000;

describe('the log feed with failures', () => {
  let fleet: MemoryFleet;
  let feeds: TestFeeds;
  let feed: LogFeed;

  beforeEach(async () => {
    fleet = await openMemoryFleet();
    feeds = new TestFeeds(fleet);
    feed = feeds.open(50_000);
  });

  afterEach(async () => {
    feed.dispose();
    await fleet.close();
  });

  const lines = (part?: PartId): string[] =>
    feed
      .shown()
      .flatMap((item) =>
        item.kind === 'line' && (part ?? item.part) === item.part ? [item.message] : [],
      );
  const gaps = (): LogGap[] => feed.shown().filter((item): item is LogGap => item.kind === 'gap');
  const isLive = (): boolean => feed.parts.every(({ state }) => state.kind === 'live');
  const isRetrying = (): boolean => feed.parts.every(({ state }) => state.kind === 'retrying');
  const upTo = (last: number): string[] =>
    Array.from({ length: last }, (_, index) => `line ${index + 1}`);

  const until = (what: string, isMet: () => boolean): Promise<void> =>
    waitUntil(isMet, { describeState: () => `${what}; ${lines().length} lines` });

  async function follow(...machines: NumberedLog[]): Promise<void> {
    feed.add(machines.map(({ part }) => part));
    await until('all parts are live', isLive);
  }

  /** Logs a line with a time that differs from the clock. */
  async function logAt(machine: NumberedLog, milliseconds: number, message: string): Promise<void> {
    const time = timestampFromDate(new Date(fleet.clock.now().getTime() + milliseconds));
    await machine.log(1, () => ({ time, message }));
  }

  it('fills a gap even after a line from the far future', async () => {
    const rover = await NumberedLog.make(fleet, 'rover');
    await follow(rover);
    await rover.log(1);
    await logAt(rover, 100_000 * HOUR_MS, 'far future');
    await until('the future is there', () => lines().includes('far future'));
    fleet.clock.advance(60_000);
    feeds.cut();
    await until('it waits', isRetrying);
    assert.ok((gaps()[0]?.micros ?? Infinity) <= fleet.clock.now().getTime() * 1_000);
    await rover.log(3, (number) => ({ message: `during ${number}` }));
    feeds.restore();
    feeds.retry();
    await until('the gap is filled', () => gaps()[0]?.state === 'filled');
    assert.deepEqual(
      lines().filter((text) => text.startsWith('during')),
      ['during 3', 'during 4', 'during 5'],
    );
  });

  it('shows new lines after it was cleared, regardless of the times of older ones', async () => {
    const rover = await NumberedLog.make(fleet, 'rover');
    await follow(rover);
    await rover.log(3);
    await logAt(rover, 100_000 * HOUR_MS, 'far future');
    await until('the future is there', () => lines().includes('far future'));
    feed.clear();
    await rover.log(2, (number) => ({ message: `new ${number}` }));
    await until('new lines are there', () => lines().length === 2);
    await logAt(rover, -HOUR_MS, 'late');
    await until('a late one as well', () => lines().length === 3);
    await feed.loadOlder();
    assert.deepEqual(lines(), ['late', ...upTo(3), 'new 5', 'new 6', 'far future']);
  });

  it('can reload cleared lines of each part', async () => {
    const [rover, arm] = [
      await NumberedLog.make(fleet, 'rover'),
      await NumberedLog.make(fleet, 'arm'),
    ];
    await follow(rover, arm);
    await arm.log(5);
    fleet.clock.advance(HOUR_MS);
    await rover.log(20);
    await until('lines are there', () => lines().length === 25);
    feed.clear();
    await arm.log(1);
    await until('a new line is there', () => lines().length === 1);
    while (feed.hasOlder) await feed.loadOlder();
    assert.deepEqual([lines(rover.part), lines(arm.part)], [upTo(20), upTo(6)]);
  });

  it('has no gap if it is cleared while older lines are loaded', async () => {
    const rover = await NumberedLog.make(fleet, 'rover');
    for (let count = 0; count < 20; count += 1) {
      await rover.log(100);
      fleet.clock.advance(100);
    }
    await follow(rover);
    await until('the last lines are there', () => lines().length === 500);
    const loading = feed.loadOlder();
    feed.clear();
    await loading;
    assert.deepEqual(lines(), []);
    while (feed.hasOlder) await feed.loadOlder();
    assert.deepEqual(lines(), upTo(2_000));
  });

  it('preserves the lines at a jump target when older lines arrive later', async () => {
    const rover = await NumberedLog.make(fleet, 'rover');
    const begin = fleet.clock.now();
    for (let count = 0; count < 50; count += 1) {
      await rover.log(100);
      fleet.clock.advance(1_000);
    }
    await follow(rover);
    await until('the last lines are there', () => lines().length === 500);
    const loading = feed.loadOlder();
    const index = await feed.jump(new Date(begin.getTime() + 10_000));
    await loading;
    assert.ok(index !== undefined);
    assert.ok(lines().includes('line 1001'));
    while (gaps().length > 0) await feed.loadGap(gaps()[0]?.key ?? 0);
    assert.deepEqual(lines(), upTo(5_000).slice(1_000));
  });

  it('has one gap for a connection that is lost again while its gap is filled', async () => {
    const rover = await NumberedLog.make(fleet, 'rover');
    await follow(rover);
    await rover.log(10);
    await until('the first lines are there', () => lines().length === 10);
    feeds.cut();
    await until('it waits', isRetrying);
    await rover.log(5);
    const whole = feeds.source;
    let requestCount = 0;
    // Makes the service unavailable while the gap is being filled.
    feeds.source = {
      tail: whole.tail.bind(whole),
      page: (...request) => {
        requestCount += 1;
        feeds.cut();
        return whole.page(...request);
      },
    };
    for (let times = 1; times <= 3; times += 1) {
      feeds.restore();
      feeds.retry();
      await until('its lines are requested', () => requestCount === times);
      await until('it waits again', isRetrying);
      assert.deepEqual(
        gaps().map(({ state }) => state),
        ['loading'],
      );
      await rover.log(5);
    }
    feeds.source = whole;
    feeds.restore();
    feeds.retry();
    await until('the gap is filled', () => gaps()[0]?.state === 'filled');
    assert.deepEqual(lines(), upTo(30));
    assert.deepEqual(
      gaps().map(({ loaded }) => loaded),
      [20],
    );
  });

  it('clears the error when the lines are loaded later', async () => {
    const rover = await NumberedLog.make(fleet, 'rover');
    await follow(rover);
    await rover.log(10);
    await until('the first lines are there', () => lines().length === 10);
    feeds.cut();
    await until('it waits', isRetrying);
    await rover.log(5);
    const whole = feeds.source;
    feeds.source = {
      tail: whole.tail.bind(whole),
      page: () => Promise.reject(new Error('no page')),
    };
    feeds.restore();
    feeds.retry();
    await until('it fails', () => gaps()[0]?.state === 'failed');
    feeds.source = whole;
    feeds.cut();
    await until('it waits again', isRetrying);
    feeds.restore();
    feeds.retry();
    await until('the gap is filled', () => gaps()[0]?.state === 'filled');
    assert.deepEqual(
      gaps().map(({ loaded }) => loaded),
      [5],
    );
    assert.deepEqual(lines(), upTo(15));
  });

  it('reports that lines could not be loaded even if only one part has failed', async () => {
    const [rover, arm] = [
      await NumberedLog.make(fleet, 'rover'),
      await NumberedLog.make(fleet, 'arm'),
    ];
    await follow(rover, arm);
    const whole = feeds.source;
    feeds.source = {
      tail: whole.tail.bind(whole),
      page: (...request) =>
        request[0].part === rover.part
          ? Promise.reject(new Error('no page'))
          : whole.page(...request),
    };
    for (let times = 0; times < 3; times += 1) {
      feeds.cut();
      await until('both wait', isRetrying);
      feeds.restore();
      for (const { id } of feed.parts) feed.reconnect(id);
      await until('it fails', () => gaps().every(({ state }) => state === 'failed'));
    }
    assert.equal(gaps().length, 1);
    await arm.log(1);
    await until('the other part goes on', () => lines(arm.part).length === 1);
  });

  /** Loses both connections, and makes loading the missed lines of one part fail. */
  async function loseLines(failing: NumberedLog, ...others: NumberedLog[]): Promise<void> {
    await follow(failing, ...others);
    fleet.clock.advance(1_000);
    feeds.cut();
    await until('all wait', isRetrying);
    await failing.log(5);
    const whole = feeds.source;
    feeds.source = {
      tail: whole.tail.bind(whole),
      page: (...request) =>
        request[0].part === failing.part
          ? Promise.reject(new Error('no page'))
          : whole.page(...request),
    };
    fleet.clock.advance(10_000);
    feeds.restore();
    for (const { id } of feed.parts) feed.reconnect(id);
    await until('it fails', () => gaps()[0]?.state === 'failed');
    await until('all parts are live', isLive);
    feeds.source = whole;
  }

  it('loads missed lines even if another part of the gap is hidden', async () => {
    const [rover, arm] = [
      await NumberedLog.make(fleet, 'rover'),
      await NumberedLog.make(fleet, 'arm'),
    ];
    await loseLines(rover, arm);
    await feed.setFilter({ ...EVERY_LINE, parts: new Set([arm.part]) });
    await feed.loadGap(gaps()[0]?.key ?? 0);
    assert.deepEqual(
      gaps().map(({ state }) => state),
      ['filled'],
    );
    await feed.setFilter(EVERY_LINE);
    assert.deepEqual(lines(rover.part), upTo(5));
  });

  it('reports again that lines could not be loaded if their part has stopped', async () => {
    const rover = await NumberedLog.make(fleet, 'rover');
    await follow(rover);
    await rover.log(1);
    const whole = feeds.source;
    const refused = new FleetError('permission', 'No logs.');
    feeds.source = {
      tail: () => {
        throw refused;
      },
      page: () => Promise.reject(refused),
    };
    feeds.cut();
    await until('it waits', isRetrying);
    feeds.restore();
    feeds.retry();
    await until('it has stopped', () => feed.parts[0]?.state.kind === 'stopped');
    assert.equal(gaps()[0]?.state, 'failed');
    await feed.loadGap(gaps()[0]?.key ?? 0);
    assert.equal(gaps()[0]?.state, 'failed');
    feeds.source = whole;
  });

  it('loads missed lines before a jump to the time at which they were logged', async () => {
    const rover = await NumberedLog.make(fleet, 'rover');
    await loseLines(rover);
    const lost = gaps()[0]?.micros ?? 0;
    await feed.jump(new Date(lost / 1_000 + 3));
    assert.equal(gaps()[0]?.state, 'filled');
    assert.deepEqual(lines(), upTo(5));
  });
});
