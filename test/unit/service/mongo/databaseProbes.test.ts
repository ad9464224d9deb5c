import assert from 'node:assert/strict';
import type { Document } from 'bson';
import type { Db } from 'mongodb';
import { DatabaseFixture, STORED_BYTES } from './databaseFixture';

const COUNT = 400;

/** Commands that mongosh and Compass send to learn about a server, with their error codes. */
const PROBES: readonly [database: string, command: Document, code: number][] = [
  ['admin', { hello: 1 }, 0],
  ['admin', { buildInfo: 1 }, 0],
  ['admin', { ping: 1 }, 0],
  ['admin', { hostInfo: 1 }, 0],
  ['admin', { connectionStatus: 1, showPrivileges: true }, 0],
  ['admin', { getCmdLineOpts: 1 }, 13],
  ['admin', { getLog: 'startupWarnings' }, 13],
  ['admin', { atlasVersion: 1 }, 59],
  ['admin', { getFreeMonitoringStatus: 1 }, 59],
  ['admin', { getParameter: 1, featureCompatibilityVersion: 1 }, 0],
  ['admin', { serverStatus: 1 }, 13],
  ['admin', { top: 1 }, 13],
  ['admin', { listDatabases: 1, nameOnly: true }, 0],
  ['admin', { listDatabases: 1 }, 0],
  ['admin', { aggregate: 1, pipeline: [{ $currentOp: {} }], cursor: {} }, 13],
  ['admin', { dbStats: 1 }, 13],
  ['sensorData', { dbStats: 1, scale: 1, freeStorage: 0 }, 0],
  ['sensorData', { listCollections: 1, nameOnly: true, authorizedCollections: true }, 0],
  ['sensorData', { collStats: 'readings', scale: 1024 }, 0],
  ['sensorData', { collStats: 'readings', scale: 0 }, 2],
  ['sensorData', { collStats: 'other' }, 13],
  ['sensorData', { listIndexes: 'readings' }, 0],
  ['sensorData', { count: 'readings', query: {} }, 0],
  ['sensorData', { find: 'readings', collation: { locale: 'simple' }, limit: 1 }, 0],
  ['sensorData', { find: 'readings', collation: { locale: 'sv', strength: 1 } }, 115],
  ['sensorData', { usersInfo: 1 }, 13],
  ['sensorData', { profile: -1 }, 13],
  ['sensorData', { explain: { find: 'readings' }, verbosity: 'queryPlanner' }, 0],
  ['sensorData', { explain: { find: 'other' } }, 13],
  ['sensorData', { explain: { find: 'readings' }, verbosity: 'loud' }, 2],
  ['sensorData', { explain: { delete: 'readings', deletes: [] } }, 115],
  ['sensorData', { explain: 'readings' }, 14],
  ['sensorData', { explain: {} }, 14],
];

const STAGE_PROBES: readonly [pipeline: Document[], code: number][] = [
  [[{ $sample: { size: 100 } }], 0],
  [[{ $indexStats: {} }], 0],
  [[{ $indexStats: {} }, { $project: { name: 1 } }], 0],
  [[{ $collStats: { count: {} } }], 0],
  [[{ $collStats: { latencyStats: {} } }], 115],
  [[{ $collStats: 1 }], 14],
  [[{ $match: {} }, { $collStats: {} }], 40602],
  [[{ $listSearchIndexes: {} }], 31082],
  [[{ $planCacheStats: {} }], 13],
];

interface Plan {
  stage: string;
  inputStage?: Plan;
}

async function getErrorCode(request: Promise<unknown>): Promise<unknown> {
  return request.then(
    () => 0,
    (error: unknown) => (error as { code?: unknown }).code ?? String(error),
  );
}

describe('the database endpoint responds to mongosh and Compass', () => {
  let fixture: DatabaseFixture;
  let database: Db;

  before(async () => {
    fixture = await DatabaseFixture.open();
    await fixture.addOrganization('acme', COUNT);
    database = fixture.client('acme').db('sensorData');
  });

  after(async () => {
    await fixture.close();
  });

  const readings = () => database.collection('readings');

  it('with a result or an error code for each probe', async () => {
    for (const [name, command, code] of PROBES) {
      const request = fixture.client('acme').db(name).command(command);
      assert.equal(await getErrorCode(request), code, JSON.stringify(command));
    }
    for (const [pipeline, code] of STAGE_PROBES) {
      const request = readings().aggregate(pipeline).toArray();
      assert.equal(await getErrorCode(request), code, JSON.stringify(pipeline));
    }
    const errors = fixture.logger.lines.filter(({ level }) => level === 'error');
    assert.deepEqual(errors, []);
  });

  it('with the count of the readings and the size of their files', async () => {
    const avgObjSize = STORED_BYTES / COUNT;
    const { ok, ...stats } = await database.stats();
    assert.equal(ok, 1);
    assert.deepEqual(stats, {
      db: 'sensorData',
      collections: 1,
      views: 0,
      objects: COUNT,
      avgObjSize,
      dataSize: STORED_BYTES,
      storageSize: STORED_BYTES,
      totalSize: STORED_BYTES,
      indexes: 0,
      indexSize: 0,
      scaleFactor: 1,
    });
    const pipeline = [
      { $collStats: { storageStats: { scale: 1000 } } },
      {
        $group: {
          _id: null,
          size: { $sum: '$storageStats.size' },
          count: { $sum: '$storageStats.count' },
        },
      },
    ];
    assert.deepEqual(await readings().aggregate(pipeline).toArray(), [
      { _id: null, size: STORED_BYTES / 1000, count: COUNT },
    ]);
    const { databases } = await database.admin().listDatabases();
    assert.deepEqual(databases, [{ name: 'sensorData', sizeOnDisk: STORED_BYTES, empty: false }]);
  });

  it('with a plan that has every stage, and with the metrics of a run', async () => {
    const query = readings().find({ component_name: 'odd' }).sort({ n: 1 }).limit(3);
    const { queryPlanner, executionStats } = await query.explain('executionStats');
    const names: unknown[] = [];
    let { winningPlan: plan } = queryPlanner as { winningPlan?: Plan | undefined };
    for (; plan !== undefined; plan = plan.inputStage) {
      names.push(plan.stage);
    }
    assert.deepEqual(names, ['$limit', '$sort', '$match', 'COLLSCAN']);
    assert.deepEqual((queryPlanner as Document).parsedQuery, { component_name: 'odd' });
    assert.equal((executionStats as Document).nReturned, 3);
    const planned = await readings().find().explain('queryPlanner');
    assert.equal(planned.executionStats, undefined);
    const older = { aggregate: 'readings', pipeline: [{ $count: 'n' }], explain: true };
    const { queryPlanner: counted } = await database.command(older);
    assert.equal((counted as { winningPlan: Document }).winningPlan.stage, '$count');
  });
});
