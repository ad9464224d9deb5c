import assert from 'node:assert/strict';
import { FairBudget } from '../../../../src/service/server/fairBudget';
import { IdleCollector } from '../../../../src/service/server/idleCollector';
import { waitUntil } from '../../../support/waitUntil';

const MEBIBYTE = 1024 * 1024;
const LARGE_BYTES = 200 * MEBIBYTE;

describe('IdleCollector', () => {
  let used: number;
  let collections: number;
  let measurements: number;
  let collector: IdleCollector;

  beforeEach(() => {
    used = 0;
    collections = 0;
    measurements = 0;
    collector = new IdleCollector({
      delayMs: 0,
      minGrowthBytes: 100,
      maxUnusedBytes: 50,
      measure: () => {
        measurements += 1;
        return used;
      },
      collect: () => {
        collections += 1;
        used /= 2;
        return Promise.resolve();
      },
    });
  });

  it('runs one collection for many requests', async () => {
    used = 400;
    for (let count = 0; count < 10; count += 1) collector.schedule();
    await waitUntil(() => measurements === 2);
    assert.equal(collections, 1);
  });

  it('skips the collection until memory has grown since the last one', async () => {
    used = 400;
    collector.schedule();
    await waitUntil(() => measurements === 2);
    used = 299;
    collector.schedule();
    await waitUntil(() => measurements === 3);
    assert.equal(collections, 1);
    used = 300;
    collector.schedule();
    await waitUntil(() => measurements === 5);
    assert.equal(collections, 2);
  });

  it('collects without delay when the unused buffers have become too large', () => {
    for (const expected of [0, 1, 1, 2]) {
      collector.addUnused(25);
      assert.equal(collections, expected);
    }
  });

  it('receives each amount that a budget releases', () => {
    const released: number[] = [];
    const onRelease = (amount: number): void => void released.push(amount);
    const budget = new FairBudget({ capacity: 100, maxWaitMs: 1, onRelease });
    const reservation = budget.tryReserve(50, ['a']);
    reservation?.shrinkTo(20);
    reservation?.shrinkTo(30);
    reservation?.release();
    reservation?.release();
    assert.deepEqual(released, [30, 20]);
  });

  it('frees the memory of buffers that are no longer used', async () => {
    const before = process.memoryUsage().arrayBuffers;
    const sizes = Array.from({ length: 4 }, () => Buffer.alloc(LARGE_BYTES / 4).length);
    assert.equal(sizes.length, 4);
    new IdleCollector({ delayMs: 0, minGrowthBytes: 0 }).schedule();
    await waitUntil(() => process.memoryUsage().arrayBuffers < before + LARGE_BYTES / 4);
  });

  it('is scheduled when a budget becomes idle', () => {
    let scheduled = 0;
    const budget = new FairBudget({
      capacity: 100,
      maxWaitMs: 1,
      onUnused: () => (scheduled += 1),
    });
    const first = budget.tryReserve(50, ['a']);
    const second = budget.tryReserve(50, ['b']);
    first?.release();
    first?.release();
    assert.equal(scheduled, 0);
    second?.shrinkTo(10);
    assert.equal(scheduled, 0);
    second?.release();
    assert.equal(scheduled, 1);
  });
});
