import assert from 'node:assert/strict';
import { deserialize, serialize } from 'bson';
import { type Collection, type Document, MongoClient } from 'mongodb';
import { TestClock } from '../support/testClock';
import { type Capturer, counting, newCapturer, second, upload } from './cases/tabularFixture';
import { signInAsOwner, startRouterDeployment } from './deployment';
import type { Fleet } from './fleetFixture';

const PASSWORD = 'correct horse';
const COUNT = 10_500;
/** Number of readings per upload. */
const STEP = 1_500;
/** Timeout for starting a query process and writing files on a busy computer. */
const SLOW_MS = 60_000;

describe('the database endpoint over captured readings', function () {
  this.timeout(SLOW_MS);
  let fleet: Fleet;
  let acme: Capturer;
  let globex: Capturer;
  const clients: MongoClient[] = [];

  before(async () => {
    const clock = new TestClock();
    const deployment = await startRouterDeployment(clock);
    fleet = { deployment, clock, owner: await signInAsOwner(deployment) };
    acme = await newCapturer(fleet);
    globex = await newCapturer(fleet);
    for (let from = 0; from < COUNT; from += STEP) {
      await upload(acme, acme.partId, counting(from, from + STEP), { tags: ['night'] });
    }
    await upload(globex, globex.partId, counting(0, 3));
    for (const { data, organizationId } of [acme, globex]) {
      await data.configureDatabaseUser({ organizationId, password: PASSWORD });
    }
  });

  after(async () => {
    await Promise.all(clients.map((client) => client.close()));
    await fleet.deployment.stop();
  });

  const openReadings = async ({ data, organizationId }: Capturer): Promise<Collection> => {
    const { mongodbUri } = await data.getDatabaseConnection({ organizationId });
    const uri = mongodbUri.replace('YOUR-PASSWORD-HERE', encodeURIComponent(PASSWORD));
    const client = new MongoClient(uri, { serverSelectionTimeoutMS: 5_000 });
    clients.push(client);
    return client.db('sensorData').collection('readings');
  };

  it('finds readings as they were uploaded', async () => {
    const readings = await openReadings(acme);
    const found = await readings.findOne({ 'data.readings.n': 7 });
    assert.ok(found);
    const { organizationId, locationId, machineId, partId } = acme;
    assert.deepEqual(
      {
        organization_id: organizationId,
        location_id: locationId,
        robot_id: machineId,
        part_id: partId,
        component_name: 'thermometer',
        method_name: 'Readings',
        time_requested: second(7),
        time_received: second(7),
        tags: ['night'],
        data: { readings: { n: 7 } },
      },
      Object.fromEntries(
        Object.entries(found).filter(
          ([name]) => !['_id', 'component_type', 'additional_parameters'].includes(name),
        ),
      ),
    );
  });

  it('filters, sorts, projects, and fetches all of many batches', async () => {
    const readings = await openReadings(acme);
    const newest = await readings
      .find({ time_received: { $lt: second(100) }, component_name: 'thermometer' })
      .sort({ time_received: -1 })
      .skip(1)
      .limit(2)
      .project({ _id: 0, n: '$data.readings.n' })
      .toArray();
    assert.deepEqual(newest, [{ n: 98 }, { n: 97 }]);
    const numbers = new Set<number>();
    for await (const { data } of readings.find<Document>({}, { batchSize: 3_000 })) {
      numbers.add((data as { readings: { n: number } }).readings.n);
    }
    assert.equal(numbers.size, COUNT);
  });

  it('returns each reading with an ID of its own, the same in every query', async () => {
    const initech = await newCapturer(fleet);
    const { data, organizationId } = initech;
    const few = 30;
    await upload(initech, initech.partId, counting(0, few));
    await data.configureDatabaseUser({ organizationId, password: PASSWORD });
    const readings = await openReadings(initech);
    const ids = new Map<unknown, number>();
    for await (const { _id, ...fields } of readings.find({}, { projection: { data: 1 } })) {
      ids.set(_id, (fields.data as { readings: { n: number } }).readings.n);
    }
    assert.equal(ids.size, few);
    await upload(initech, initech.partId, counting(few, few + 1));
    const [[id, n] = []] = ids;
    const numbers = { projection: { _id: 0, 'data.readings.n': 1 } };
    const found = await readings.find({ _id: id } as Document, numbers).toArray();
    assert.deepEqual(found, [{ data: { readings: { n } } }]);
    const newest = await readings.findOne({}, { sort: { _id: -1 }, projection: { _id: 1 } });
    assert.ok(newest !== null && !ids.has(newest._id));
    const typed = await readings.findOne({ _id: id } as Document, { promoteValues: false });
    assert.equal((typed?._id as unknown as { _bsontype: string })._bsontype, 'Int32');
    const joined = await readings
      .aggregate([
        { $match: { _id: id } },
        { $lookup: { from: 'readings', localField: '_id', foreignField: '_id', as: 'same' } },
        { $unionWith: { coll: 'readings', pipeline: [{ $match: { _id: id } }] } },
        { $project: { _id: 1, 'same._id': 1 } },
      ])
      .toArray();
    assert.deepEqual(joined, [{ _id: id, same: [{ _id: id }] }, { _id: id }]);
    await data.deleteTabularData({ organizationId, deleteOlderThanDays: 0 });
    await upload(initech, initech.partId, counting(0, few));
    const oldest = await readings.findOne({}, { sort: { _id: 1 }, projection: { _id: 1 } });
    assert.ok(Number(oldest?._id) > Number(newest._id));
    const mqlBinary = [serialize({ $limit: 1 })];
    const { rawData } = await data.tabularDataByMQL({ organizationId, mqlBinary });
    assert.equal('_id' in deserialize(rawData[0] ?? serialize({})), false);
  });

  it('explains which stages run in SQL, and reports the size of the files', async () => {
    const readings = await openReadings(acme);
    const cursor = readings.aggregate([
      { $match: { component_name: 'thermometer' } },
      { $redact: '$$KEEP' },
    ]);
    const { queryPlanner, executionStats } = await cursor.explain('executionStats');
    assert.deepEqual((queryPlanner as Document).winningPlan, {
      stage: '$redact',
      runsIn: 'memory',
      inputStage: {
        stage: '$match',
        runsIn: 'SQL',
        inputStage: { stage: 'COLLSCAN', direction: 'forward', runsIn: 'SQL' },
      },
    });
    assert.equal((executionStats as Document).nReturned, COUNT);
    await assert.rejects(readings.find({ n: { $nope: 1 } }).explain(), { codeName: 'BadValue' });
    const [{ count, size } = {}] = await readings
      .aggregate([
        { $collStats: { storageStats: {} } },
        { $project: { count: '$storageStats.count', size: '$storageStats.size' } },
      ])
      .toArray();
    assert.equal(count, COUNT);
    assert.ok(Number(size) > 1000);
  });

  it('aggregates, counts and lists distinct values', async () => {
    const readings = await openReadings(acme);
    const [highest] = await readings
      .aggregate([{ $group: { _id: '$part_id', n: { $max: '$data.readings.n' } } }])
      .toArray();
    assert.deepEqual(highest, { _id: acme.partId, n: COUNT - 1 });
    assert.equal(await readings.estimatedDocumentCount(), COUNT);
    assert.equal(await readings.countDocuments({ 'data.readings.n': { $gte: COUNT - 5 } }), 5);
    assert.equal(await readings.countDocuments({ 'data.readings.n': -1 }), 0);
    assert.deepEqual(await readings.distinct('component_name'), ['thermometer']);
    assert.deepEqual(await readings.distinct('tags'), ['night']);
    assert.deepEqual(
      (await readings.distinct('data.readings.n', { time_received: { $lt: second(3) } })).sort(),
      [0, 1, 2],
    );
    assert.deepEqual(await readings.distinct('no.such.field'), []);
  });

  it('joins, unites, and splits pipelines like the panel', async () => {
    const readings = await openReadings(acme);
    const few = [{ $match: { 'data.readings.n': { $lt: 3 } } }, { $sort: { time_received: 1 } }];
    const only = { $project: { _id: 0, n: '$data.readings.n' } };
    const [joined] = await readings
      .aggregate([
        ...few,
        { $limit: 1 },
        {
          $lookup: {
            from: 'readings',
            as: 'later',
            let: { t: '$time_received' },
            pipeline: [...few, { $match: { $expr: { $gt: ['$time_received', '$$t'] } } }, only],
          },
        },
        { $project: { _id: 0, later: 1 } },
      ])
      .toArray();
    assert.deepEqual(joined, { later: [{ n: 1 }, { n: 2 }] });
    const $unionWith = { coll: 'readings', pipeline: [...few, only] };
    const united = await readings.aggregate([...few, only, { $unionWith }]).toArray();
    assert.deepEqual(
      united,
      [0, 1, 2, 0, 1, 2].map((n) => ({ n })),
    );
    const $facet = { total: [{ $count: 'n' }], few: [...few, only] };
    const [facets] = await readings.aggregate([{ $facet }]).toArray();
    assert.deepEqual(facets, { total: [{ n: COUNT }], few: [{ n: 0 }, { n: 1 }, { n: 2 }] });
  });

  it('fills gaps in a time series and compares neighbors like the panel', async () => {
    const readings = await openReadings(acme);
    const $match = { 'data.readings.n': { $in: [0, 1, 4] } };
    const range = { step: 1, unit: 'second', bounds: 'full' };
    const field = 'time_received';
    const sortBy = { [field]: 1 };
    const output = { n: { $linearFill: '$data.readings.n' }, rank: { $rank: {} } };
    const series = await readings
      .aggregate([
        { $match },
        { $densify: { field, range } },
        { $setWindowFields: { sortBy, output } },
        { $fill: { sortBy, output: { component_name: { method: 'locf' } } } },
        { $project: { _id: 0, n: 1, rank: 1, component_name: 1 } },
      ])
      .toArray();
    assert.deepEqual(
      series,
      [0, 1, 2, 3, 4].map((n) => ({ component_name: 'thermometer', n, rank: n + 1 })),
    );
    const years = { ...range, unit: 'millisecond', bounds: [second(0), new Date('2100-01-01')] };
    const tooMany = readings.aggregate([{ $densify: { field, range: years } }]).toArray();
    await assert.rejects(tooMany, /\$densify would add about/);
  });

  it('finds what was just uploaded, and nothing that was deleted', async () => {
    const readings = await openReadings(globex);
    assert.equal(await readings.countDocuments(), 3);
    await upload(globex, globex.partId, counting(3, 5));
    assert.equal(await readings.estimatedDocumentCount(), 5);
    const { data, organizationId } = globex;
    await data.deleteTabularData({ organizationId, deleteOlderThanDays: 0 });
    assert.deepEqual(await readings.find().toArray(), []);
  });

  it('reports what is wrong with a query', async () => {
    const readings = await openReadings(acme);
    await assert.rejects(readings.find({ n: { $nope: 1 } }).toArray(), {
      codeName: 'BadValue',
      message: /\$nope/,
    });
    for (const stage of [{ $lookup: { from: 'x', as: 'y' } }, { $graphLookup: {} }]) {
      await assert.rejects(readings.aggregate([stage]).toArray(), {
        codeName: 'BadValue',
        message: /\$(?:lookup\): from must be|graphLookup\): recursive lookups)/,
      });
    }
  });
});
