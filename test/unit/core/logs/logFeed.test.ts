import assert from 'node:assert/strict';
import { FleetError } from '../../../../src/core/api/errors';
import type { LineFilter, LogGap, LogItem, LogLine } from '../../../../src/core/logs/logItem';
import type { LogFeed } from '../../../../src/core/logs/logFeed';
import { levelKinds } from '../../../../src/core/model/logEntry';
import { type MemoryFleet, openMemoryFleet } from '../../../support/memoryFleet';
import { NumberedLog } from '../../../support/numberedLog';
import { SLOW_MESSAGE, TestFeeds } from '../../../support/testFeed';
import { waitUntil } from '../../../support/waitUntil';

const all: LineFilter = {
  levels: new Set(levelKinds),
  text: '',
  isPattern: false,
  matchCase: false,
};

describe('the log feed', () => {
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

  const until = (what: string, isMet: () => boolean): Promise<void> =>
    waitUntil(isMet, { describeState: () => `${what}; ${summary()}` });

  function summary(): string {
    return JSON.stringify({
      states: feed.parts.map(({ state }) => state.kind),
      counts: feed.counts,
      rows: feed.shown().slice(-5),
    });
  }

  const lines = (): LogLine[] => feed.shown().filter((item) => item.kind === 'line');
  const gaps = (): LogGap[] => feed.shown().filter((item) => item.kind === 'gap');
  const numbers = (machine: NumberedLog): number[] =>
    lines()
      .filter(({ part }) => part === machine.part)
      .map(({ message }) => Number(message.slice('line '.length)));
  const upTo = (last: number): number[] => Array.from({ length: last }, (_, index) => index + 1);
  const isLive = (): boolean => feed.parts.every(({ state }) => state.kind === 'live');

  async function follow(...machines: NumberedLog[]): Promise<void> {
    feed.add(machines.map(({ part }) => part));
    await until('all parts are live', isLive);
  }

  it('begins with the last lines and continues with new ones', async () => {
    const rover = await NumberedLog.make(fleet, 'rover');
    await rover.log(20);
    await follow(rover);
    await until('the last lines are there', () => lines().length === 20);
    await rover.log(5);
    await until('the new ones as well', () => lines().length === 25);
    assert.deepEqual(numbers(rover), upTo(25));
    assert.equal(feed.hasOlder, false);
  });

  it('merges parts by the time of their lines', async () => {
    const [rover, arm] = [
      await NumberedLog.make(fleet, 'rover'),
      await NumberedLog.make(fleet, 'arm'),
    ];
    await follow(rover, arm);
    await rover.log(10);
    await arm.log(10);
    await rover.log(10);
    await until('all lines are there', () => lines().length === 30);
    const times = lines().map(({ micros }) => micros);
    assert.deepEqual(
      times,
      times.toSorted((a, b) => a - b),
    );
    assert.deepEqual(numbers(arm), upTo(10));
  });

  it('fills the gap of a lost connection without duplicates', async () => {
    const rover = await NumberedLog.make(fleet, 'rover');
    await follow(rover);
    await rover.log(10);
    await until('the first lines are there', () => lines().length === 10);
    feeds.cut();
    await until('it waits to try again', () => feed.parts[0]?.state.kind === 'retrying');
    assert.equal(gaps()[0]?.state, 'loading');
    fleet.clock.advance(5_000);
    await rover.log(3_000);
    feeds.restore();
    feeds.retry();
    await until('it is live', isLive);
    await rover.log(10);
    await until('all lines are there', () => lines().length === 3_020);
    await until('the gap is filled', () => gaps()[0]?.state === 'filled');
    assert.deepEqual(numbers(rover), upTo(3_020));
    assert.deepEqual(
      gaps().map(({ loaded, reason }) => ({ loaded, reason })),
      [{ loaded: 3_000, reason: 'break' }],
    );
  });

  it('reads back only until the lines that it already has', async () => {
    const rover = await NumberedLog.make(fleet, 'rover');
    await follow(rover);
    for (let count = 0; count < 4; count += 1) await rover.log(5_000);
    await until('the first lines are there', () => lines().length === 20_000);
    feeds.cut();
    await until('it waits to try again', () => feed.parts[0]?.state.kind === 'retrying');
    await rover.log(10);
    feeds.restore();
    fleet.calls.clear();
    feeds.retry();
    await until('the gap is filled', () => gaps()[0]?.state === 'filled');
    assert.deepEqual(numbers(rover), upTo(20_010));
    assert.equal(fleet.calls.get('GetRobotPartLogs'), 2);
    assert.equal(gaps().length, 1);
  });

  it('has one gap for parts that lose their connection together', async () => {
    const [rover, arm] = [
      await NumberedLog.make(fleet, 'rover'),
      await NumberedLog.make(fleet, 'arm'),
    ];
    await follow(rover, arm);
    feeds.cut();
    await until('both wait', () => feed.parts.every(({ state }) => state.kind === 'retrying'));
    await rover.log(2);
    await arm.log(3);
    feeds.restore();
    for (const { id } of feed.parts) feed.reconnect(id);
    await until('the gap is filled', () => gaps()[0]?.state === 'filled');
    assert.deepEqual(
      gaps().map(({ parts, loaded }) => [parts.length, loaded]),
      [[2, 5]],
    );
    assert.deepEqual([numbers(rover), numbers(arm)], [upTo(2), upTo(3)]);
  });

  it('distinguishes equal lines from repeated deliveries', async () => {
    const rover = await NumberedLog.make(fleet, 'rover');
    const alike = () => ({
      message: 'line 7',
      time: { seconds: 1_772_366_400n, nanos: 5_000_000 },
    });
    await follow(rover);
    await rover.log(2, alike);
    await until('two are there', () => lines().length === 2);
    feeds.cut();
    await until('it waits', () => feed.parts[0]?.state.kind === 'retrying');
    // The service deduplicates identical lines of one call, so make them differ.
    await rover.log(3, (number) => ({ ...alike(), fields: [{ number }] }));
    feeds.restore();
    feeds.retry();
    await until('the gap is filled', () => gaps()[0]?.state === 'filled');
    assert.equal(lines().length, 5);
  });

  it('stops if retries are useless, and continues on request', async () => {
    const rover = await NumberedLog.make(fleet, 'rover');
    await follow(rover);
    const { part } = rover;
    const whole = feeds.source;
    feeds.source = {
      tail: () => {
        throw new FleetError('permission', 'May not read this.');
      },
      page: whole.page.bind(whole),
    };
    feeds.cut();
    await until('it waits', () => feed.parts[0]?.state.kind === 'retrying');
    feeds.restore();
    feeds.retry();
    await until('it stops', () => feed.parts[0]?.state.kind === 'stopped');
    assert.equal(gaps()[0]?.state, 'failed');
    feeds.source = whole;
    await rover.log(4);
    feed.reconnect(part);
    await until('it is live', isLive);
    await until('nothing is missing', () => lines().length === 4);
    assert.deepEqual(numbers(rover), upTo(4));
  });

  it('limits its lines, and counts the dropped ones', async () => {
    feed.dispose();
    feed = feeds.open(1_000);
    const rover = await NumberedLog.make(fleet, 'rover');
    await follow(rover);
    for (let count = 0; count < 30; count += 1) {
      await rover.log(100);
      fleet.clock.advance(100);
    }
    await until('the last line is there', () => lines().at(-1)?.message === 'line 3000');
    const { buffered, dropped, limit } = feed.counts;
    assert.ok(buffered <= limit);
    assert.equal(buffered + dropped, 3_000);
    assert.deepEqual(numbers(rover), upTo(3_000).slice(-buffered));
    assert.equal(feed.hasOlder, true);
    await assert.rejects(feed.loadOlder(), { kind: 'invalid' });
  });

  it('loads older lines page by page for all parts together', async () => {
    const [rover, arm] = [
      await NumberedLog.make(fleet, 'rover'),
      await NumberedLog.make(fleet, 'arm'),
    ];
    for (let count = 0; count < 30; count += 1) {
      await rover.log(100);
      if (count % 10 === 0) await arm.log(10);
      fleet.clock.advance(100);
    }
    await follow(rover, arm);
    await until('the last lines are there', () => lines().length > 0);
    assert.ok(numbers(rover).length === 500);
    const isWhole = (): boolean => !feed.hasOlder;
    while (!isWhole()) {
      const { first } = feed.takeChanges();
      const before = feed.shown().length;
      await feed.loadOlder();
      const { first: now, moves, reset } = feed.takeChanges();
      assert.equal(first - now, feed.shown().length - before);
      assert.deepEqual({ moves, reset }, { moves: [], reset: false });
    }
    assert.deepEqual([numbers(rover), numbers(arm)], [upTo(3_000), upTo(30)]);
  });

  it('jumps to a time, and loads the lines in between later', async () => {
    const rover = await NumberedLog.make(fleet, 'rover');
    const begin = fleet.clock.now();
    for (let count = 0; count < 50; count += 1) {
      await rover.log(100);
      fleet.clock.advance(1_000);
    }
    await follow(rover);
    await until('the last lines are there', () => lines().length === 500);
    const position = await feed.jump(new Date(begin.getTime() + 10_000));
    assert.ok(position !== undefined);
    const [row] = feed.rows(position, position + 1).items;
    assert.equal(row?.kind === 'line' && row.message, 'line 1001');
    assert.equal(gaps().length, 1);
    while (gaps().length > 0) await feed.loadGap(gaps()[0]?.key ?? 0);
    assert.deepEqual(numbers(rover), upTo(5_000).slice(1_000));
    assert.equal(feed.hasOlder, true);
  });

  it('filters existing and new lines', async () => {
    const rover = await NumberedLog.make(fleet, 'rover');
    const levels = ['debug', 'info', 'warn', 'error'];
    const change = (number: number) => ({
      level: levels[number % 4] ?? '',
      fields: [{ order: `A-${number}` }],
    });
    await follow(rover);
    await rover.log(40, change);
    await until('all lines are there', () => lines().length === 40);
    await feed.setFilter({ ...all, levels: new Set(['error']) });
    assert.equal(lines().length, 10);
    await rover.log(8, change);
    await until('more errors', () => lines().length === 12);
    await feed.setFilter({ ...all, text: 'LINE 4' });
    assert.deepEqual(numbers(rover), [4, ...upTo(48).slice(39)]);
    await feed.setFilter({ ...all, text: '^a-1[0-2]$|^line 2$', isPattern: true });
    assert.deepEqual(numbers(rover), [2]);
    await feed.setFilter({ ...all, text: '"A-1[0-2]"', isPattern: true, matchCase: true });
    assert.deepEqual(numbers(rover), [10, 11, 12]);
    const problem = await feed.setFilter({ ...all, text: '(', isPattern: true });
    assert.equal(problem?.kind, 'invalid');
    assert.equal(feed.filter.text, '"A-1[0-2]"');
    assert.deepEqual(numbers(rover), [10, 11, 12]);
  });

  it('stops an expression that takes too long for a line, reports it once, and stays live', async () => {
    const rover = await NumberedLog.make(fleet, 'rover');
    await follow(rover);
    let eventCount = 0;
    feed.onDidAbandonText(() => (eventCount += 1));
    const levels = new Set(['info'] as const);
    await feed.setFilter({ ...all, levels, text: 'slow|other', isPattern: true });
    await rover.log(2, (number) => ({
      message: SLOW_MESSAGE,
      level: number === 1 ? 'info' : 'debug',
    }));
    await until('it is shown', () => lines().length === 1);
    await rover.log(1, () => ({ message: SLOW_MESSAGE }));
    await until('others are shown as well', () => lines().length === 2);
    assert.equal(eventCount, 1);
    assert.ok(isLive());
    assert.deepEqual(gaps(), []);
  });

  it('continues to receive while it is paused', async () => {
    const rover = await NumberedLog.make(fleet, 'rover');
    await follow(rover);
    await rover.log(3);
    await until('lines are there', () => lines().length === 3);
    feed.setPaused(true);
    await rover.log(4);
    await until('lines wait', () => feed.counts.waiting === 4);
    assert.equal(lines().length, 3);
    feed.setPaused(false);
    assert.deepEqual(numbers(rover), upTo(7));
    assert.equal(feed.counts.waiting, 0);
  });

  it('clears its lines, which can be loaded again', async () => {
    const rover = await NumberedLog.make(fleet, 'rover');
    await follow(rover);
    await rover.log(3);
    await until('lines are there', () => lines().length === 3);
    feed.clear();
    assert.deepEqual(feed.shown(), []);
    await rover.log(2);
    await until('new lines are there', () => lines().length === 2);
    await feed.loadOlder();
    assert.deepEqual(numbers(rover), upTo(5));
  });

  it('counts no dropped lines after it was cleared', async () => {
    feed.dispose();
    feed = feeds.open(1_000);
    const rover = await NumberedLog.make(fleet, 'rover');
    await follow(rover);
    await rover.log(1_500);
    await until('lines are dropped', () => feed.counts.dropped > 0);
    feed.clear();
    assert.deepEqual([feed.counts.buffered, feed.counts.dropped], [0, 0]);
  });

  it('stops following a removed part', async () => {
    const [rover, arm] = [
      await NumberedLog.make(fleet, 'rover'),
      await NumberedLog.make(fleet, 'arm'),
    ];
    await follow(rover, arm);
    await rover.log(3);
    await arm.log(3);
    await until('lines are there', () => lines().length === 6);
    feed.remove(rover.part);
    assert.deepEqual([numbers(rover), numbers(arm)], [[], upTo(3)]);
    assert.deepEqual(
      feed.parts.map(({ id }) => id),
      [arm.part],
    );
  });

  it('shows no lines or gaps of a part that was removed while they were loading', async () => {
    const rover = await NumberedLog.make(fleet, 'rover');
    const begin = fleet.clock.now();
    for (let count = 0; count < 30; count += 1) {
      await rover.log(100);
      fleet.clock.advance(1_000);
    }
    for (const load of [() => feed.loadOlder(), () => feed.jump(begin)]) {
      await follow(rover);
      await until('the last lines are there', () => lines().length === 500);
      const loading = load();
      feed.remove(rover.part);
      await loading;
      assert.deepEqual([feed.shown(), feed.counts.buffered], [[], 0]);
    }
    feed.add([rover.part]);
    const whole = feeds.source;
    const requested = Promise.withResolvers<undefined>();
    feeds.source = {
      tail: whole.tail.bind(whole),
      page: (...request) => {
        requested.resolve(undefined);
        return whole.page(...request);
      },
    };
    await requested.promise;
    feed.remove(rover.part);
    fleet.clock.advance(1_000);
    const arm = await NumberedLog.make(fleet, 'arm');
    await follow(arm);
    await arm.log(1);
    await until('the line of the other part is there', () => lines().length === 1);
    assert.equal(feed.counts.buffered, 1);
  });

  it('preserves the indexes of rows when late lines are inserted', async () => {
    const [rover, arm] = [
      await NumberedLog.make(fleet, 'rover'),
      await NumberedLog.make(fleet, 'arm'),
    ];
    await follow(rover, arm);
    await rover.log(100);
    await until('lines are there', () => lines().length === 100);
    const { first } = feed.takeChanges();
    const before = feed.rows(first, first + 100).items;
    await arm.log(50);
    await until('late ones as well', () => lines().length === 150);
    const { moves } = feed.takeChanges();
    const position = (item: LogItem): number => feed.shown().indexOf(item);
    before.forEach((item, index) => {
      const moved = moves.reduce((at, move) => (at >= move.at - first ? at + move.by : at), index);
      assert.equal(position(item), moved);
    });
  });
});
