import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { systemClock } from '../../../../../src/base/clock';
import { StatusPoller } from '../../../../../src/host/features/fleet/statusPoller';

const SECOND_MS = 1_000;

describe('StatusPoller', () => {
  let poller: StatusPoller;
  let times: number;
  let fails: boolean;
  const failures: boolean[] = [];

  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout', 'Date'] });
    times = 0;
    fails = false;
    failures.length = 0;
    const work = (): Promise<void> => {
      times += 1;
      return fails ? Promise.reject(new Error('down')) : Promise.resolve();
    };
    poller = new StatusPoller(work, systemClock, (failed) => failures.push(failed));
  });

  afterEach(() => {
    poller.dispose();
    mock.timers.reset();
  });

  /** Advances the time and lets all work that is due finish. */
  async function pass(seconds: number): Promise<void> {
    for (let second = 0; second < seconds; second += 1) {
      mock.timers.tick(SECOND_MS);
      await new Promise(setImmediate);
    }
  }

  it('runs at an interval while it is visible, and not otherwise', async () => {
    poller.update(10);
    await pass(9);
    assert.equal(times, 0);
    await pass(21);
    assert.equal(times, 3);
    poller.update(0);
    await pass(100);
    assert.equal(times, 3);
  });

  it('runs overdue work immediately when it becomes visible, but nothing twice', async () => {
    poller.update(10);
    await pass(10);
    poller.update(0);
    await pass(3);
    poller.update(10);
    await pass(6);
    assert.equal(times, 1);
    await pass(1);
    assert.equal(times, 2);
    poller.update(0);
    await pass(60);
    poller.update(10);
    await pass(1);
    assert.equal(times, 3);
  });

  it('polls an unavailable service less and less often, and reports it until it responds', async () => {
    fails = true;
    poller.update(10);
    await pass(10 + 20 + 40);
    assert.equal(times, 3);
    assert.deepEqual(failures, [true, true, true]);
    fails = false;
    await pass(80);
    assert.equal(times, 4);
    assert.equal(failures.at(-1), false);
    await pass(10);
    assert.equal(times, 5);
  });

  it('retries soon after a failure when the service responds again, and then as usual', async () => {
    fails = true;
    poller.update(10);
    await pass(10 + 20 + 40);
    assert.equal(times, 3);
    fails = false;
    poller.retrySoon();
    await pass(1);
    assert.equal(times, 3);
    await pass(1);
    assert.equal(times, 4);
    assert.equal(failures.at(-1), false);
    poller.retrySoon();
    await pass(9);
    assert.equal(times, 4);
    await pass(1);
    assert.equal(times, 5);
  });

  it('waits a quarter of an hour at most', async () => {
    fails = true;
    poller.update(600);
    await pass(600 + 900 + 900);
    assert.equal(times, 3);
  });
});
