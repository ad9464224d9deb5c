import assert from 'node:assert/strict';
import { RateLimiter, RateLimits } from '../../../../src/service/server/rateLimits';

const PER_SECOND = 2;
const BURST = 20;
const MAX_TRACKED = 10_000;

describe('RateLimiter', () => {
  let now: number;
  let limiter: RateLimiter;

  beforeEach(() => {
    now = 0;
    limiter = new RateLimiter(PER_SECOND, () => now);
  });

  function takeAll(name: string): void {
    for (let call = 0; call < BURST; call += 1) assert.equal(limiter.take(name), 0);
  }

  it('allows a burst of ten seconds, and then the calls of a second per second', () => {
    takeAll('a');
    assert.equal(limiter.take('a'), 500);
    now += 500;
    assert.equal(limiter.take('a'), 0);
    assert.equal(limiter.take('a'), 500);
    now += 60_000;
    takeAll('a');
    assert.equal(limiter.take('a'), 500);
  });

  it('counts each name separately', () => {
    takeAll('a');
    assert.equal(limiter.take('b'), 0);
    assert.ok(limiter.take('a') > 0);
  });

  it('tracks a bounded number of names, and those that called last', () => {
    takeAll('a');
    for (let index = 0; index < MAX_TRACKED * 2; index += 1) {
      limiter.take(`other ${index}`);
      limiter.take('a');
    }
    assert.equal(limiter.size, MAX_TRACKED);
    assert.ok(limiter.take('a') > 0);
  });
});

describe('RateLimits', () => {
  let limits: RateLimits;

  beforeEach(() => {
    limits = new RateLimits({ perKey: undefined, perAddress: 1 }, () => undefined);
    for (let call = 0; call < 10; call += 1) limits.takeAddress('2001:db8:0:7::1');
  });

  it('count all addresses of an IPv6 network together', () => {
    for (const address of ['2001:db8:0:7::2', '2001:db8:0:7:1:2:3:4', '2001:db8:0:7:ffff::']) {
      assert.ok(limits.takeAddress(address), address);
    }
  });

  it('count other networks and IPv4 addresses separately', () => {
    for (const address of ['2001:db8:0:8::1', '2001:db8::7', '::1', '192.0.2.1']) {
      assert.equal(limits.takeAddress(address), undefined, address);
    }
    for (let call = 0; call < 9; call += 1) limits.takeAddress('192.0.2.1');
    assert.ok(limits.takeAddress('192.0.2.1'));
    assert.equal(limits.takeAddress('192.0.2.2'), undefined);
  });

  it('count an IPv4 address and the same address mapped to IPv6 together', () => {
    for (let call = 0; call < 10; call += 1) {
      limits.takeAddress(call % 2 === 0 ? '192.0.2.1' : '::ffff:192.0.2.1');
    }
    for (const address of ['192.0.2.1', '::ffff:192.0.2.1', '::FFFF:192.0.2.1']) {
      assert.ok(limits.takeAddress(address), address);
    }
    assert.equal(limits.takeAddress('::ffff:192.0.2.2'), undefined);
  });
});
