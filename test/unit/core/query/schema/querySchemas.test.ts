import assert from 'node:assert/strict';
import { serialize } from 'bson';
import { FleetError } from '../../../../../src/core/api/errors';
import type { JsonObject } from '@bufbuild/protobuf';
import { connectionId, organizationId } from '../../../../../src/core/model/ids';
import type { QuerySource } from '../../../../../src/core/query/querySource';
import { QuerySchemas } from '../../../../../src/core/query/schema/querySchemas';
import { sampledSchema, sampleReadings } from '../../../../../src/core/query/schema/sampledSchema';
import { bundledProgram } from '../../../../support/bundledProgram';
import { CapturingPart } from '../../../../support/capturingPart';
import { type MemoryFleet, openMemoryFleet } from '../../../../support/memoryFleet';
import { TestClock } from '../../../../support/testClock';
import { TestSessions } from '../../../../support/testSessions';

const NEVER = new AbortController().signal;

/**
 * Returns a source that responds to each query with the next of the given results: rows or a
 * failure.
 */
function createQuerySource(
  answers: readonly (readonly object[] | Error)[],
): QuerySource & { queries: string[] } {
  const left = [...answers];
  const queries: string[] = [];
  return {
    queries,
    async *run({ text }) {
      queries.push(text);
      await Promise.resolve();
      const answer = left.shift() ?? [];
      if (answer instanceof Error) throw answer;
      yield answer.map((row) => serialize(row));
    },
  };
}

const ROW = { _id: { component_name: 'probe' }, first: { readings: { t: 1 } }, last: {} };

describe('the schema of readings', () => {
  const of = { connectionId: connectionId('c'), organizationId: organizationId('o') };
  let clock: TestClock;
  let schemas: QuerySchemas;

  function open(source: QuerySource): void {
    clock = new TestClock();
    schemas = new QuerySchemas(() => source, clock);
  }

  afterEach(() => schemas.dispose());

  it('is sampled on the first request, once for concurrent callers', async () => {
    const source = createQuerySource([[ROW]]);
    open(source);
    assert.equal(schemas.get(of).isSampled, false);
    const [one, other] = await Promise.all([schemas.load(of, NEVER), schemas.load(of, NEVER)]);
    assert.equal(one, other);
    assert.deepEqual(
      one.fields.map(({ path }) => path.join('.')),
      ['readings', 'readings.t'],
    );
    assert.deepEqual(one.values.get('component_name'), ['probe']);
    assert.equal(schemas.get(of), one);
    assert.equal(source.queries.length, 1);
  });

  it('is returned to all waiting callers', async () => {
    open(createQuerySource([[ROW]]));
    const learned = new Promise((resolve) => schemas.onDidChange(resolve));
    schemas.get(of);
    assert.deepEqual(await learned, of);
  });

  it('is sampled again after a while, and cached in the meantime', async () => {
    const source = createQuerySource([[ROW], [{ ...ROW, last: { n: 1 } }]]);
    open(source);
    await schemas.load(of, NEVER);
    clock.advance(6 * 60_000);
    const learned = new Promise((resolve) => schemas.onDidChange(resolve));
    assert.equal(schemas.get(of).fields.length, 2);
    await learned;
    assert.equal(schemas.get(of).fields.length, 3);
  });

  it('is sampled further back if there is no recent data', async () => {
    const source = createQuerySource([[], [ROW]]);
    open(source);
    assert.equal((await schemas.load(of, NEVER)).isSampled, true);
    assert.match(source.queries[0] ?? '', /2026-02-28T12/);
    assert.match(source.queries[1] ?? '', /2026-01-30T12/);
  });

  it('is sampled again within seconds if nothing is stored yet', async () => {
    const source = createQuerySource([[], [], [], [ROW]]);
    open(source);
    assert.equal((await schemas.load(of, NEVER)).isSampled, false);
    assert.equal((await schemas.load(of, NEVER)).isSampled, false);
    assert.equal(source.queries.length, 3);
    clock.advance(11_000);
    assert.equal((await schemas.load(of, NEVER)).isSampled, true);
  });

  it('is minimal without permission, and not requested again with every keystroke', async () => {
    const source = createQuerySource([new FleetError('permission', 'no'), [ROW]]);
    open(source);
    assert.equal((await schemas.load(of, NEVER)).isSampled, false);
    schemas.get(of);
    assert.equal(source.queries.length, 1);
    clock.advance(61_000);
    assert.equal((await schemas.load(of, NEVER)).isSampled, true);
  });

  it('is minimal while signed out, and sampled after signing in', async () => {
    const source = createQuerySource([[ROW]]);
    let isSignedIn = false;
    clock = new TestClock();
    schemas = new QuerySchemas(() => {
      if (!isSignedIn) throw new FleetError('unauthenticated', 'You are signed out.');
      return source;
    }, clock);
    assert.equal((await schemas.load(of, NEVER)).isSampled, false);
    isSignedIn = true;
    assert.equal((await schemas.load(of, NEVER)).isSampled, true);
  });

  it('is sampled again after its connection is cleared, and ignores an earlier sample', async () => {
    const source = createQuerySource([[ROW], [{ ...ROW, _id: { component_name: 'pump' } }]]);
    open(source);
    const earlier = schemas.load(of, NEVER);
    schemas.clear(of.connectionId);
    const later = await schemas.load(of, NEVER);
    await earlier;
    assert.deepEqual(later.values.get('component_name'), ['pump']);
    assert.equal(schemas.get(of), later);
    schemas.clear(connectionId('other'));
    assert.equal(schemas.get(of), later);
  });

  it('limits the time that callers wait', async () => {
    open({
      async *run(_query, signal) {
        await new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason as Error)),
        );
        yield [];
      },
    });
    const signal = AbortSignal.timeout(1);
    assert.equal((await schemas.load(of, signal)).isSampled, false);
  });
});

describe('a sample of the readings of a service', function () {
  this.timeout(120_000);
  let fleet: MemoryFleet;
  let sessions: TestSessions;

  before(async () => {
    fleet = await openMemoryFleet(await bundledProgram('queryProcess'));
    sessions = new TestSessions(fleet);
  });

  after(async () => {
    sessions.dispose();
    await fleet.close();
  });

  it('has the fields of every component, even if another has many readings', async () => {
    const { stores } = sessions.session;
    const { ids } = await CapturingPart.create(fleet, stores);
    const at = fleet.clock.now().getTime() * 1_000;
    const upload = (componentName: string, count: number, data: JsonObject): Promise<void> =>
      stores.uploads.readings(
        { partId: ids.partId, componentName, componentType: 'sensor', method: 'Readings' },
        [],
        Array.from({ length: count }, (_, n) => ({ at: at - n, data })),
      );
    await upload('chatty', 500, { readings: { volts: 12 } });
    await upload('quiet', 1, { readings: { place: { lat: 1.5 } } });
    const { queries } = stores;
    const readings = await sampleReadings(queries, ids.organizationId, at / 1_000, NEVER);
    const { fields, values } = sampledSchema(readings);
    assert.deepEqual(fields.map(({ path, type }) => `${path.join('.')} ${type}`).toSorted(), [
      'readings object',
      'readings.place object',
      'readings.place.lat number',
      'readings.volts number',
    ]);
    assert.deepEqual(values.get('component_name'), ['chatty', 'quiet']);
  });
});
