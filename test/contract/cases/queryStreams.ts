import assert from 'node:assert/strict';
import { Binary, deserialize, type Document } from 'bson';
import { FleetError } from '../../../src/core/api/errors';
import { clientsOver } from '../../../src/core/api/fleetClients';
import { connectedTransport } from '../../support/connectedTransport';
import type { OrganizationId } from '../../../src/core/model/ids';
import type { FleetQuery } from '../../../src/core/model/query';
import { QueryError } from '../../../src/core/query/queryError';
import { type QuerySource, WireQuerySource } from '../../../src/core/query/querySource';
import { type DataClients, dataClientsWithRole } from '../dataFixture';
import { bearerTransport } from '../deployment';
import type { FleetUnderTest } from '../fleetFixture';
import { type Capturer, counting, newCapturer, upload } from './tabularFixture';

type QueryOptions = Omit<FleetQuery, 'organizationId' | 'recent'> & Partial<FleetQuery>;

const NEVER = new AbortController().signal;
/** Larger than one batch and larger than one message of the public API. */
const LARGE = "SELECT range AS n, repeat('x', 900) AS text FROM range(40000)";

/** Returns the product's own client, authenticated with the token of a key. */
function createQuerySource(
  fleet: FleetUnderTest,
  { token }: Pick<DataClients, 'token'>,
): QuerySource {
  const transport = bearerTransport(fleet().deployment, token);
  return new WireQuerySource(clientsOver(connectedTransport(transport, fleet().deployment.url)));
}

export function queryStreamContract(fleet: FleetUnderTest): void {
  describe('streams of rows', () => {
    const runQuery = (made: Capturer, options: QueryOptions, signal = NEVER) =>
      createQuerySource(fleet, made).run(
        { organizationId: made.organizationId as OrganizationId, recent: false, ...options },
        signal,
      );

    const queryRows = async (made: Capturer, options: QueryOptions): Promise<Document[]> => {
      const rows: Document[] = [];
      for await (const batch of runQuery(made, options)) {
        rows.push(...batch.map((document) => deserialize(document)));
      }
      return rows;
    };

    const getQueryError = async (made: Capturer, options: QueryOptions): Promise<QueryError> => {
      const failure = await queryRows(made, options).then(
        () => assert.fail('the query did not fail'),
        (error: unknown) => error,
      );
      assert.ok(failure instanceof QueryError, String(failure));
      return failure;
    };

    it('contain exact times for clients that request them, and dates for others', async () => {
      const made = await newCapturer(fleet());
      const text = "SELECT TIMESTAMP '1970-01-01 00:00:00.000001' AS t, DATE '1970-01-02' AS d";
      const exact = { t: new Binary(Buffer.from([1, 0, 0, 0, 0, 0, 0, 0]), 128) };
      assert.deepEqual(await queryRows(made, { language: 'sql', text }), [
        { ...exact, d: new Binary(Buffer.from([1, 0, 0, 0]), 130) },
      ]);
      const { organizationId } = made;
      const { rawData } = await made.data.tabularDataBySQL({ organizationId, sqlQuery: text });
      const [row] = rawData.map((document) => deserialize(document));
      assert.deepEqual(row, { t: new Date(0), d: new Date('1970-01-02') });
    });

    it('contain the same rows as unary responses', async () => {
      const made = await newCapturer(fleet());
      assert.deepEqual(await queryRows(made, { language: 'sql', text: 'FROM readings' }), []);
      await upload(made, made.partId, counting(0, 3000));
      const { organizationId } = made;
      const sqlQuery = 'SELECT * FROM readings ORDER BY time_received';
      const inOne = await made.data.tabularDataBySQL({ organizationId, sqlQuery });
      const expected = inOne.rawData.map((document) => deserialize(document));
      assert.equal(expected.length, 3000);
      assert.deepEqual(await queryRows(made, { language: 'sql', text: sqlQuery }), expected);

      const text = `[ // the last
        { "$sort": { "time_received": -1 } }, { "$limit": 2 },
        { "$project": { "_id": 0, "n": "$data.readings.n" } }, ]`;
      for (const recent of [false, true]) {
        assert.deepEqual(await queryRows(made, { language: 'mql', text, recent }), [
          { n: 2999 },
          { n: 2998 },
        ]);
      }
    });

    it('have any size, and are sent while they are produced', async () => {
      const made = await newCapturer(fleet());
      let rows = 0;
      let bytes = 0;
      let batches = 0;
      for await (const batch of runQuery(made, { language: 'sql', text: LARGE })) {
        batches += 1;
        for (const document of batch) {
          assert.equal(deserialize(document).n, rows);
          rows += 1;
          bytes += document.byteLength;
        }
      }
      assert.equal(rows, 40_000);
      assert.ok(bytes > 32 * 1024 * 1024 && batches > 100, `${bytes} bytes in ${batches} batches`);
    }).timeout(120_000);

    it('report query errors like unary responses', async () => {
      const made = await newCapturer(fleet());
      await upload(made, made.partId, counting(0, 1));
      for (const [text, wrong] of [
        ['SELECT *\nFROM reading', 'reading'],
        ['SELECT 1 WHERE x x', 'x'],
        ["SELECT '😀é', data.readings.n, temp FROM readings", 'temp'],
        ['SELECT data.readings.n, nope(1) FROM readings', 'nope'],
        ['/* all */ DROP TABLE readings', 'DROP'],
        ['SELECT data FROM  ', 'M'],
      ] as const) {
        const { range, message } = await getQueryError(made, { language: 'sql', text });
        assert.ok(range, message);
        assert.equal(text.slice(range.start, range.end), wrong, message);
        assert.equal(range.start, text.lastIndexOf(wrong), message);
      }
      for (const [text, wrong] of [
        ['[{"$limit": 1}, {"$out": "x"}]', '"$out"'],
        ['[{"$match": {"a": 1}}, {"$match": {"b": {"$near": 1}}}]', '"$near"'],
        ['[{"$group": {"_id": 1, "m": {"$max": {"$nope": 1}}}}]', '"$nope"'],
        ['[{"$project": {"a": {"$add": [1, {"$nope": 2}]}}}]', '"$nope"'],
        ['[{"$match": {"a": {"$where": "1"}}}]', '"$where"'],
        ['[{"$limit": 1, "$skip": 2}]', '"$skip"'],
        ['[{"$fill": {"output": {"x": {"value": 1}}, "nope": 1}}]', '"nope"'],
      ] as const) {
        const { range, message } = await getQueryError(made, { language: 'mql', text });
        assert.ok(range, message);
        assert.equal(text.slice(range.start, range.end), wrong, message);
      }
    });

    it('end when their client disconnects', async () => {
      const made = await newCapturer(fleet());
      const leave = new AbortController();
      const seen: number[] = [];
      await assert.rejects(
        (async () => {
          for await (const batch of runQuery(
            made,
            { language: 'sql', text: LARGE },
            leave.signal,
          )) {
            seen.push(batch.length);
            leave.abort();
          }
        })(),
        (error) => error instanceof FleetError && error.kind === 'canceled',
      );
      assert.ok(seen.length > 0 && seen.length < 100, String(seen.length));
    });

    it('are rejected like unary responses', async () => {
      const made = await newCapturer(fleet());
      const stranger = await newCapturer(fleet());
      const { organizationId } = made;
      const text = 'SELECT 1';
      const getErrorKind = async (who: Pick<DataClients, 'token'>, id: string): Promise<string> => {
        const query = { organizationId: id as OrganizationId, recent: false, text };
        const rows = createQuerySource(fleet, who).run({ ...query, language: 'sql' }, NEVER);
        const failure = await rows[Symbol.asyncIterator]()
          .next()
          .then(
            () => assert.fail('it was answered'),
            (error: unknown) => error,
          );
        assert.ok(failure instanceof FleetError, String(failure));
        return failure.kind;
      };
      assert.equal(await getErrorKind(stranger, organizationId), 'notFound');
      assert.equal(await getErrorKind(made, ''), 'invalid');
      assert.equal(await getErrorKind({ token: 'nothing' }, organizationId), 'unauthenticated');
      const ofMachine = await dataClientsWithRole(fleet(), 'robot_owner', made.machineId);
      assert.equal(await getErrorKind(ofMachine, organizationId), 'permission');
    });
  });
}
