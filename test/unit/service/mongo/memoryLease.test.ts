import assert from 'node:assert/strict';
import { ByteQuota, MemoryLease } from '../../../../src/service/mongo/memoryLease';

const KIBIBYTE = 1024;
const MEBIBYTE = 1024 * KIBIBYTE;

describe('MemoryLease', () => {
  it('leases ever smaller batches of one quota to 1,000 connections', () => {
    const quota = new ByteQuota(128 * MEBIBYTE);
    const leases = Array.from({ length: 1_000 }, () => new MemoryLease(quota));
    const sizes = leases.map((lease) => lease.leaseBatch());
    assert.equal(sizes[0], 4 * MEBIBYTE);
    assert.equal(sizes.at(-1), 64 * KIBIBYTE);
    assert.ok(quota.available >= 0);
    const total = sizes.reduce((sum, size) => sum + size, 0);
    assert.ok(total <= 128 * MEBIBYTE + 1_000 * 64 * KIBIBYTE);
    leases.forEach((lease) => lease.release());
    assert.equal(quota.available, 128 * MEBIBYTE);
  });

  it('extends a lease only up to the quota, and counts no bytes twice', () => {
    const quota = new ByteQuota(MEBIBYTE);
    const [one, other] = [new MemoryLease(quota), new MemoryLease(quota)];
    assert.equal(one.extendTo(600 * KIBIBYTE), true);
    assert.equal(one.extendTo(500 * KIBIBYTE), true);
    assert.equal(other.extendTo(500 * KIBIBYTE), false);
    assert.equal(other.extendTo(64 * KIBIBYTE), true);
    one.release();
    assert.equal(other.extendTo(500 * KIBIBYTE), true);
    other.release();
    other.release();
    assert.equal(quota.available, MEBIBYTE);
  });
});
