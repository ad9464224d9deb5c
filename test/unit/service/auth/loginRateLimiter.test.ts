import assert from 'node:assert/strict';
import { LoginRateLimiter } from '../../../../src/service/auth/signInGuard';

const FREE = 10;

describe('LoginRateLimiter', () => {
  let now = 0;
  let waits: number[] = [];
  let limiter: LoginRateLimiter;
  const { signal } = new AbortController();

  beforeEach(() => {
    now = 0;
    waits = [];
    limiter = new LoginRateLimiter(
      (milliseconds) => {
        waits.push(milliseconds);
        return Promise.resolve();
      },
      () => now,
    );
  });

  const fail = (count: number, key = 'a'): void => {
    for (let n = 0; n < count; n += 1) {
      limiter.failed(key);
    }
  };

  it('allows a few failures', async () => {
    fail(FREE - 1);
    assert.equal(await limiter.waitForAttempt('a', signal), true);
    assert.deepEqual(waits, []);
  });

  it('then allows one attempt per second, and rejects more when too many are waiting', async () => {
    fail(FREE);
    const turns = await Promise.all(
      Array.from({ length: 13 }, () => limiter.waitForAttempt('a', signal)),
    );
    assert.deepEqual(waits, [0, 1000, 2000, 3000, 4000, 5000, 6000, 7000, 8000, 9000, 10000]);
    assert.deepEqual(turns.slice(-3), [true, false, false]);
    assert.equal(await limiter.waitForAttempt('b', signal), true);
  });

  it('resets after a minute, and after the correct password', async () => {
    fail(FREE, 'a');
    fail(FREE, 'b');
    limiter.succeeded('b');
    await limiter.waitForAttempt('b', signal);
    now = 60_001;
    await limiter.waitForAttempt('a', signal);
    assert.deepEqual(waits, []);
  });
});
