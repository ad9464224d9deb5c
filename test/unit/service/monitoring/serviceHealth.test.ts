import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  bucketCheck,
  checkDatabase,
  checkFolders,
  type HealthChecks,
  ServiceHealth,
} from '../../../../src/service/monitoring/serviceHealth';
import { openSqliteStore } from '../../../../src/service/store/openStore';
import { waitUntil } from '../../../support/waitUntil';

const ALL_OK: HealthChecks = {
  database: () => 'ok',
  dataDirectory: () => 'ok',
  queryProcesses: () => 'ok',
};

describe('ServiceHealth', () => {
  it('is ready while no check has failed, and names the degraded ones', async () => {
    const health = new ServiceHealth({ checks: { ...ALL_OK, queryProcesses: () => 'degraded' } });
    assert.deepEqual(await health.report(), {
      status: 'ready',
      checks: { database: 'ok', dataDirectory: 'ok', queryProcesses: 'degraded' },
    });
  });

  it('is not ready when a check throws, and does not report why', async () => {
    const database = (): never => {
      throw new Error('connect ECONNREFUSED 10.0.0.7:5432');
    };
    const health = new ServiceHealth({ checks: { ...ALL_OK, database } });
    assert.deepEqual(await health.report(), {
      status: 'notReady',
      checks: { database: 'failed', dataDirectory: 'ok', queryProcesses: 'ok' },
    });
  });

  it('counts a check that hangs as failed, and does not start it a second time', async () => {
    let started = 0;
    const database = (): Promise<never> => {
      started += 1;
      return new Promise(() => undefined);
    };
    const health = new ServiceHealth({
      checks: { ...ALL_OK, database },
      timeoutMs: 1,
      maxAgeMs: 0,
    });
    assert.equal((await health.report()).checks.database, 'failed');
    assert.equal((await health.report()).checks.database, 'failed');
    assert.equal(started, 1);
  });

  it('runs the checks once for callers that arrive at the same time', async () => {
    let started = 0;
    const database = () => {
      started += 1;
      return 'ok' as const;
    };
    const health = new ServiceHealth({ checks: { ...ALL_OK, database } });
    await Promise.all([health.report(), health.report()]);
    await health.report();
    assert.equal(started, 1);
  });

  it('reports immediately that it is stopping', async () => {
    const health = new ServiceHealth({ checks: ALL_OK });
    assert.equal((await health.report()).status, 'ready');
    health.stop();
    assert.equal((await health.report()).status, 'stopping');
  });
});

describe('the checks of the service', () => {
  it('detect a closed database', async () => {
    const store = await openSqliteStore(undefined);
    assert.equal(await checkDatabase(store), 'ok');
    await store.destroy();
    await assert.rejects(checkDatabase(store));
  });

  it('detect a deleted folder', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'fleetwright-test-'));
    assert.equal(await checkFolders([folder]), 'ok');
    await rm(folder, { recursive: true });
    await assert.rejects(checkFolders([folder]));
  });
});

describe('bucketCheck', () => {
  it('returns the previous result while a bucket hangs', async () => {
    const responses = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
    let checks = 0;
    const never = new Promise<undefined>(() => undefined);
    const check = bucketCheck({ check: () => responses[checks++]?.promise ?? never }, 0);
    responses[0]?.resolve(undefined);
    assert.equal(await check(), 'ok');
    assert.equal(await check(), 'ok');
    assert.equal(await check(), 'ok');
    assert.equal(checks, 2, 'a check that hangs is not started again');
    responses[1]?.reject(new Error('no response'));
    await waitUntil(async () => (await check()) !== 'ok');
  });
});
