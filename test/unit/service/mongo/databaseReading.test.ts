import assert from 'node:assert/strict';
import { Long, type Document } from 'bson';
import { MongoServerError } from 'mongodb';
import { DatabaseFixture } from './databaseFixture';

const COUNT = 12_000;

/** Returns the name of the server's error. */
async function getErrorCodeName(request: Promise<unknown>): Promise<string> {
  const error = await request.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof MongoServerError, String(error));
  return String(error.codeName);
}

describe('reading with the MongoDB driver', () => {
  let fixture: DatabaseFixture;

  before(async () => {
    fixture = await DatabaseFixture.open();
    await fixture.addOrganization('acme', COUNT);
    await fixture.addOrganization('globex', 3);
  });

  after(() => fixture.close());

  const n = (document: Document): unknown => ((document.data as Document).readings as Document).n;

  it('finds, filters, sorts, projects, skips, and limits', async () => {
    const readings = fixture.collection('acme');
    assert.equal(n((await readings.findOne({ 'data.readings.n': 5 })) ?? {}), 5);
    const found = await readings
      .find({ component_name: 'odd' })
      .sort({ time_received: -1 })
      .skip(1)
      .limit(3)
      .project({ data: 1 })
      .toArray();
    assert.deepEqual(
      found,
      [3, 5, 7].map((less) => ({ data: { readings: { n: COUNT - less } } })),
    );
    assert.equal(await readings.findOne({ component_name: 'none' }), null);
  });

  it('fetches results of many batches, and of few documents per batch', async () => {
    const readings = fixture.collection('acme');
    const all = await readings.find().toArray();
    assert.deepEqual(
      all.map(n),
      Array.from({ length: COUNT }, (_, index) => index),
    );
    const few = await readings.find({ 'data.readings.n': { $lt: 25 } }, { batchSize: 7 }).toArray();
    assert.equal(few.length, 25);
    assert.equal((await readings.find().limit(101).toArray()).length, 101);
    assert.equal(await fixture.countSpooledResults(), 0);
    assert.equal(fixture.running, 0);
  });

  it('aggregates, counts, and lists distinct values', async () => {
    const readings = fixture.collection('acme');
    const groups = await readings
      .aggregate([{ $group: { _id: '$component_name', n: { $sum: 1 } } }, { $sort: { _id: 1 } }])
      .toArray();
    assert.deepEqual(groups, [
      { _id: 'even', n: COUNT / 2 },
      { _id: 'odd', n: COUNT / 2 },
    ]);
    assert.equal(await readings.estimatedDocumentCount(), COUNT);
    assert.equal(await readings.countDocuments({ component_name: 'odd' }), COUNT / 2);
    assert.equal(await readings.countDocuments({ component_name: 'none' }), 0);
    assert.deepEqual((await readings.distinct('component_name')).sort(), ['even', 'odd']);
    assert.deepEqual(await readings.distinct('time_received', { 'data.readings.n': { $lt: 2 } }), [
      new Date(0),
      new Date(1000),
    ]);
  });

  it('returns numbers of every width, and dates, as they were sent', async () => {
    const readings = fixture.collection('acme');
    const since = { time_received: { $gte: new Date((COUNT - 2) * 1000) } };
    assert.equal(await readings.countDocuments(since), 2);
    const wide = await readings.find({ 'data.readings.n': Long.fromNumber(7) }).toArray();
    assert.equal(wide.length, 1);
  });

  it('shows one database with one collection', async () => {
    const client = fixture.client('acme');
    const { databases } = await client.db().admin().listDatabases({ nameOnly: true });
    assert.deepEqual(databases, [{ name: 'sensorData' }]);
    const named = await client
      .db()
      .admin()
      .listDatabases({ filter: { name: /^other/ } });
    assert.deepEqual(named.databases, []);
    const database = client.db('sensorData');
    const collections = await database.listCollections({ name: 'readings' }).toArray();
    assert.deepEqual(
      collections.map(({ name, type }) => [name, type]),
      [['readings', 'collection']],
    );
    assert.deepEqual(await database.listCollections({ name: 'x' }).toArray(), []);
    assert.deepEqual(await client.db('test').listCollections().toArray(), []);
    for (const slow of ['(?:.*){60}x', '(((.*)*)*)*x', '.?'.repeat(40), 'x'.repeat(200)]) {
      const listed = database.listCollections({ name: { $regex: slow } }).toArray();
      await assert.rejects(listed, /too long, or has too many repetitions/, slow);
    }
    assert.deepEqual(await database.collection('readings').indexes(), []);
    assert.equal((await database.command({ buildInfo: 1 })).version, '7.0.0');
    const parameter = { getParameter: 1, featureCompatibilityVersion: 1 };
    assert.equal((await client.db('admin').command(parameter)).ok, 1);
  });

  it('shows an organization only its own readings', async () => {
    const globex = await fixture.collection('globex').find().toArray();
    assert.deepEqual(
      globex.map(({ organization_id }) => String(organization_id)),
      ['globex', 'globex', 'globex'],
    );
    const client = fixture.client('globex');
    for (const [database, collection] of [
      ['sensorData', 'other'],
      ['admin', 'system.users'],
      ['acme', 'readings'],
    ] as const) {
      const request = client.db(database).collection(collection).find().toArray();
      assert.equal(await getErrorCodeName(request), 'Unauthorized');
    }
  });

  it('rejects writes and unsupported commands', async () => {
    const client = fixture.client('acme');
    const database = client.db('sensorData');
    const readings = database.collection('readings');
    const rejections: [() => Promise<unknown>, string][] = [
      [() => readings.insertOne({ a: 1 }), 'Unauthorized'],
      [() => readings.updateMany({}, { $set: { a: 1 } }), 'Unauthorized'],
      [() => readings.deleteMany({}), 'Unauthorized'],
      [() => readings.findOneAndDelete({}), 'Unauthorized'],
      [() => readings.createIndex({ a: 1 }), 'Unauthorized'],
      [() => readings.drop(), 'Unauthorized'],
      [() => database.dropDatabase(), 'Unauthorized'],
      [() => readings.aggregate([{ $match: {} }, { $out: 'x' }]).toArray(), 'Unauthorized'],
      [() => database.command({ serverStatus: 1 }), 'Unauthorized'],
      [() => readings.find({}, { collation: { locale: 'sv' } }).toArray(), 'CommandNotSupported'],
      [() => database.command({ find: 'readings', surprise: 1 }), 'UnknownField'],
      [() => database.command({ find: 'readings', limit: -1 }), 'BadValue'],
      [() => database.command({ find: 'readings', filter: 'x' }), 'TypeMismatch'],
      [() => database.command({ aggregate: 'readings', pipeline: [] }), 'FailedToParse'],
      [() => database.command({ aggregate: 'readings', pipeline: 7 }), 'TypeMismatch'],
      [() => database.command({ aggregate: 1, pipeline: [], cursor: {} }), 'Unauthorized'],
      [() => database.command({ noSuchThing: 1 }), 'CommandNotFound'],
      [
        () => database.command({ getMore: Long.fromNumber(7), collection: 'readings' }),
        'CursorNotFound',
      ],
    ];
    for (const [request, name] of rejections) {
      assert.equal(await getErrorCodeName(request()), name);
    }
  });

  it('returns an error for a request that is too long, and continues', async () => {
    const readings = fixture.collection('globex');
    const long = { text: 'x'.repeat(2_000_000) };
    assert.equal(await getErrorCodeName(readings.insertOne(long)), 'BSONObjectTooLarge');
    assert.equal(await readings.estimatedDocumentCount(), 3);
  });

  it('serves several clients at once', async () => {
    const clients = ['acme', 'globex', 'acme', 'globex'].map((id) => fixture.collection(id));
    const counts = await Promise.all(clients.map(async (c) => (await c.find().toArray()).length));
    assert.deepEqual(counts, [COUNT, 3, COUNT, 3]);
    assert.deepEqual(
      fixture.logger.lines.filter(({ level }) => level === 'error'),
      [],
    );
  });
});
