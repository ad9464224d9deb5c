import assert from 'node:assert/strict';
import { FleetError } from '../../../../src/core/api/errors';
import type { LogFeed } from '../../../../src/core/logs/logFeed';
import { EVERY_LINE, type LogGap, type LogLine } from '../../../../src/core/logs/logItem';
import { type MemoryFleet, openMemoryFleet } from '../../../support/memoryFleet';
import { NumberedLog } from '../../../support/numberedLog';
import { TestFeeds } from '../../../support/testFeed';
import { waitUntil } from '../../../support/waitUntil';

describe('the log feed with gaps', () => {
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

  const lines = (): LogLine[] => feed.shown().filter((item) => item.kind === 'line');
  const gaps = (): LogGap[] => feed.shown().filter((item) => item.kind === 'gap');
  const numbers = (machine: NumberedLog): number[] =>
    lines()
      .filter(({ part }) => part === machine.part)
      .map(({ message }) => Number(message.slice('line '.length)));
  const upTo = (last: number): number[] => Array.from({ length: last }, (_, index) => index + 1);
  const isLive = (): boolean => feed.parts.every(({ state }) => state.kind === 'live');

  const until = (what: string, isMet: () => boolean): Promise<void> =>
    waitUntil(isMet, { describeState: () => `${what}; ${lines().length} lines` });

  async function follow(...machines: NumberedLog[]): Promise<void> {
    feed.add(machines.map(({ part }) => part));
    await until('all parts are live', isLive);
  }

  /**
   * Logs 100 lines per second for a minute, and follows the log, which then begins with the last
   * five seconds.
   * @returns the time of the first line.
   */
  async function followMinute(machine: NumberedLog): Promise<Date> {
    const begin = fleet.clock.now();
    for (let count = 0; count < 60; count += 1) {
      await machine.log(100);
      fleet.clock.advance(1_000);
    }
    await follow(machine);
    await until('the last lines are there', () => lines().length === 500);
    return begin;
  }

  it('jumps to a time in a gap, and splits the gap', async () => {
    const rover = await NumberedLog.make(fleet, 'rover');
    const begin = await followMinute(rover);
    const jump = async (seconds: number): Promise<string | false> => {
      const position = await feed.jump(new Date(begin.getTime() + seconds * 1_000));
      const [row] = feed.rows(position ?? 0, (position ?? 0) + 1).items;
      return row?.kind === 'line' && row.message;
    };
    assert.equal(await jump(10), 'line 1001');
    assert.equal(await jump(30), 'line 3001');
    const seconds = (micros = 0): number => Math.floor((micros / 1_000 - begin.getTime()) / 1_000);
    const ranges = gaps().map(({ micros, endMicros }) => [seconds(micros), seconds(endMicros)]);
    assert.deepEqual(ranges, [
      [19, 30],
      [39, 55],
    ]);
    // The lines from this time on overlap with lines that are already loaded.
    assert.equal(await jump(25), 'line 2501');
    assert.deepEqual(
      gaps().map(({ state }) => state),
      ['open', 'open'],
    );
    while (gaps().length > 0) await feed.loadGap(gaps()[0]?.key ?? 0);
    assert.deepEqual(numbers(rover), upTo(6_000).slice(1_000));
  });

  it('jumps to a time in a gap that is being loaded', async () => {
    const rover = await NumberedLog.make(fleet, 'rover');
    const begin = await followMinute(rover);
    const at = (seconds: number): Date => new Date(begin.getTime() + seconds * 1_000);
    await feed.jump(at(10));
    const loading = feed.loadGap(gaps()[0]?.key ?? 0);
    const position = await feed.jump(at(30));
    await loading;
    const [row] = feed.rows(position ?? 0, (position ?? 0) + 1).items;
    assert.equal(row?.kind === 'line' && row.message, 'line 3001');
    while (gaps().length > 0) await feed.loadGap(gaps()[0]?.key ?? 0);
    assert.deepEqual(numbers(rover), upTo(6_000).slice(1_000));
  });

  it('leaves a gap unchanged if a jump into it fails', async () => {
    const rover = await NumberedLog.make(fleet, 'rover');
    const begin = await followMinute(rover);
    await feed.jump(new Date(begin.getTime() + 10_000));
    const before = gaps();
    assert.equal(before.length, 1);
    feeds.source = {
      tail: feeds.source.tail.bind(feeds.source),
      page: () => Promise.reject(new FleetError('permission', 'No page.')),
    };
    await assert.rejects(feed.jump(new Date(begin.getTime() + 30_000)), { kind: 'permission' });
    assert.deepEqual(gaps(), before);
  });

  it('loads a gap for all of its parts, including hidden ones', async () => {
    const [rover, arm] = [
      await NumberedLog.make(fleet, 'rover'),
      await NumberedLog.make(fleet, 'arm'),
    ];
    const begin = fleet.clock.now();
    for (let count = 0; count < 20; count += 1) {
      await rover.log(100);
      await arm.log(100);
      fleet.clock.advance(1_000);
    }
    await follow(rover, arm);
    await until('the last lines are there', () => lines().length === 1_000);
    await feed.jump(begin);
    await feed.setFilter({ ...EVERY_LINE, parts: new Set([rover.part]) });
    while (gaps().length > 0) await feed.loadGap(gaps()[0]?.key ?? 0);
    await feed.setFilter(EVERY_LINE);
    assert.deepEqual([numbers(rover), numbers(arm)], [upTo(2_000), upTo(2_000)]);
  });

  it('removes the gaps of a removed part', async () => {
    const [rover, arm] = [
      await NumberedLog.make(fleet, 'rover'),
      await NumberedLog.make(fleet, 'arm'),
    ];
    const isRetrying = (): boolean => feed.parts.every(({ state }) => state.kind === 'retrying');
    await follow(rover);
    feeds.cut();
    await until('it waits to try again', isRetrying);
    feeds.restore();
    feeds.retry();
    await until('its gap is filled', () => gaps()[0]?.state === 'filled');
    feed.add([arm.part]);
    await until('all parts are live', isLive);
    fleet.clock.advance(1_000);
    feeds.cut();
    await until('both wait to try again', isRetrying);
    assert.deepEqual(
      gaps().map(({ parts }) => parts.length),
      [1, 2],
    );
    feed.remove(rover.part);
    assert.deepEqual(
      gaps().map(({ parts, state }) => ({ parts, state })),
      [{ parts: [arm.part], state: 'loading' }],
    );
    feeds.restore();
    feed.reconnect(arm.part);
    await until('the other gap is filled', () => gaps()[0]?.state === 'filled');
    assert.deepEqual(
      gaps().map(({ parts }) => parts),
      [[arm.part]],
    );
  });
});
