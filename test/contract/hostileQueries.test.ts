import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Code, ConnectError } from '@connectrpc/connect';
import { deserialize } from 'bson';
import { type Capturer, counting, newCapturer, upload } from './cases/tabularFixture';
import { type Deployment, signInAsOwner, startHttpDeployment } from './deployment';
import type { Fleet } from './fleetFixture';
import { TestClock } from '../support/testClock';

const STARTING_MS = 60_000;
const LIMIT_SECONDS = 1;
/**
 * Time limit for queries that must be rejected for their content, so that they don't time out on a
 * busy computer.
 */
const PATIENT_SECONDS = 60;
/** Maximum time between a timeout and the response on a busy computer. */
const SLACK_MS = 8_000;
const MIB = 1024 * 1024;
const HIDDEN = 'hidden-from-queries';

describe('hostile queries', function () {
  this.timeout(STARTING_MS);
  let deployment: Deployment;
  let fleet: Fleet;
  let made: Capturer;
  let other: Capturer;
  let root: string;
  let lakeDir: string;

  async function open(seconds: number): Promise<void> {
    root = await mkdtemp(join(tmpdir(), 'fleetwright-'));
    lakeDir = join(root, 'lake');
    await writeFile(join(root, 'secret.csv'), `name\n${HIDDEN}\n`);
    const clock = new TestClock();
    deployment = await startHttpDeployment(clock, 'gRPC', {
      lakeDir,
      queryLimits: { seconds, memoryBytes: 128 * MIB },
    });
    fleet = { deployment, clock, owner: await signInAsOwner(deployment) };
    made = await newCapturer(fleet);
    other = await newCapturer(fleet);
    await upload(made, made.partId, counting(0, 10));
    await upload(other, other.partId, [{ at: clock.now(), values: { readings: { x: HIDDEN } } }]);
    for (const who of [made, other]) {
      await query(who, 'SELECT count(*) FROM readings');
    }
  }

  async function close(): Promise<void> {
    await deployment.stop();
    await rm(root, { recursive: true });
  }

  async function query({ data, organizationId }: Capturer, sqlQuery: string, signal?: AbortSignal) {
    const { rawData } = await data.tabularDataBySQL(
      { organizationId, sqlQuery },
      signal && { signal },
    );
    return rawData.map((document) => deserialize(document));
  }

  /**
   * Returns the error code of a query, and checks that the message reveals nothing about the host.
   */
  async function getFailureCode(sql: string): Promise<Code> {
    const failure = ConnectError.from(
      await query(made, sql).then(
        (rows) => assert.fail(`${sql} answers ${JSON.stringify(rows).slice(0, 200)}`),
        (error: unknown) => error,
      ),
    );
    const message = failure.rawMessage.replaceAll(sql, '');
    for (const internalName of [root, process.cwd(), '.parquet', 'allowed_paths', HIDDEN]) {
      const isTheirs = sql.includes(internalName);
      assert.ok(
        isTheirs || !message.includes(internalName),
        `${sql} is answered with: ${failure.rawMessage}`,
      );
    }
    return failure.code;
  }

  describe('with forbidden operations', () => {
    before(() => open(PATIENT_SECONDS));
    after(close);

    it('read only the readings of their organization', async () => {
      const [own = ''] = await listFiles(made);
      const [theirs = ''] = await listFiles(other);
      const secret = join(root, 'secret.csv');
      const path = join(lakeDir, other.organizationId, theirs);
      for (const sql of [
        ...[
          secret,
          path,
          '/etc/passwd',
          `../${other.organizationId}/${theirs}`,
          own,
          '*.parquet',
        ].flatMap((file) => [
          `SELECT * FROM '${file}'`,
          `FROM "${file}"`,
          `SELECT * FROM read_text('${file}')`,
          `SELECT * FROM read_blob('${file}')`,
          `SELECT * FROM read_csv('${file}')`,
          `SELECT * FROM read_json('${file}')`,
          `SELECT * FROM read_parquet('${file}')`,
          `SELECT * FROM parquet_scan(['${file}'])`,
          `SELECT * FROM parquet_metadata('${file}')`,
          `SELECT * FROM parquet_kv_metadata('${file}')`,
          `SELECT * FROM sniff_csv('${file}')`,
          `SELECT * FROM glob('${file}')`,
          `WITH "${file}" AS (SELECT 1) SELECT * FROM (SELECT 1), "${file}"`,
          `SELECT (SELECT count(*) FROM '${file}') FROM readings`,
          `SELECT * FROM readings WHERE EXISTS (FROM '${file}')`,
        ]),
        ...['duckdb_settings()', 'duckdb_views()', 'duckdb_databases()', 'duckdb_secrets()'].map(
          (name) => `SELECT * FROM ${name}`,
        ),
        ...['sqlite_master', 'pg_catalog.pg_views', 'information_schema.views', 'duckdb_views'].map(
          (name) => `SELECT * FROM ${name}`,
        ),
        ...[
          'pragma_database_list',
          'main.sqlite_schema',
          'system.main.duckdb_views',
          'pg_views',
        ].map((name) => `FROM ${name}`),
        'WITH sqlite_master AS (SELECT 1) SELECT * FROM (SELECT 1), sqlite_master',
        `SELECT current_setting('allowed_paths')`,
        `SELECT 'allowed_paths'.current_setting()`,
        `SELECT "CURRENT_SETTING"('temp_directory')`,
        `SELECT getvariable('x')`,
        `SELECT getenv('HOME')`,
        `SELECT pg_catalog.pg_get_viewdef(0)`,
        `SELECT json_serialize_plan('SELECT * FROM readings')`,
        `SELECT list_transform(['allowed_paths'], x -> current_setting(x))`,
        `SELECT count(*) FILTER (current_setting('allowed_paths') IS NOT NULL) FROM readings`,
        `SELECT * FROM readings ORDER BY current_setting('allowed_paths')`,
        `FROM query('SELECT * FROM duckdb_settings()')`,
        `FROM query_table('sqlite_master')`,
        `FROM query_table(['readings', 'sqlite_master'])`,
        `FROM json_execute_serialized_sql(json_serialize_sql('SELECT 1'))`,
        `SHOW DATABASES`,
        `SHOW ALL TABLES`,
        `DESCRIBE FROM '${secret}'`,
        `SUMMARIZE '${secret}'`,
        `DESCRIBE sqlite_master`,
      ]) {
        assert.equal(await getFailureCode(sql), Code.InvalidArgument, sql);
      }
      assert.deepEqual(await query(made, 'SELECT DISTINCT organization_id AS o FROM readings'), [
        { o: made.organizationId },
      ]);
    });

    it('do nothing but read', async () => {
      const target = join(root, 'written');
      for (const sql of [
        `COPY readings TO '${target}'`,
        `COPY (SELECT 1) TO '${target}.parquet' (FORMAT parquet)`,
        `EXPORT DATABASE '${target}'`,
        `ATTACH '${target}.db' AS other`,
        `ATTACH ':memory:' AS other`,
        'INSTALL httpfs',
        'LOAD httpfs',
        `LOAD '${target}'`,
        'SET enable_external_access = true',
        'SET memory_limit = -1',
        'RESET lock_configuration',
        'PRAGMA database_list',
        'PRAGMA enable_profiling',
        'CALL pragma_version()',
        'CREATE TABLE t AS SELECT 1',
        'CREATE OR REPLACE VIEW readings AS SELECT 1',
        'CREATE MACRO m() AS 1',
        'INSERT INTO readings SELECT * FROM readings',
        'UPDATE readings SET robot_id = 1',
        'DELETE FROM readings',
        'DROP VIEW readings',
        `PREPARE p AS SELECT 1`,
        'EXECUTE p',
        'EXPLAIN ANALYZE SELECT * FROM readings',
        'BEGIN',
        'CHECKPOINT',
        'VACUUM',
        'USE system',
        `SELECT 1; COPY readings TO '${target}'`,
        `SELECT write_log('x')`,
        'SELECT sleep_ms(100000)',
        `SELECT nextval('s')`,
        `FROM enable_logging()`,
        `FROM checkpoint()`,
      ]) {
        assert.equal(await getFailureCode(sql), Code.InvalidArgument, sql);
      }
      assert.deepEqual((await readdir(root)).sort(), ['lake', 'secret.csv']);
      assert.deepEqual(await query(made, 'SELECT count(*)::INT AS n FROM readings'), [{ n: 10 }]);
    });
  });

  describe('that use too many resources', () => {
    before(() => open(LIMIT_SECONDS));
    after(close);

    const ended: Record<string, string> = {
      'endless recursion': `WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT max(n) FROM t`,
      'doubling recursion': `WITH RECURSIVE t(n) AS (SELECT 'xx' UNION ALL SELECT n || n FROM t) SELECT length(n) FROM t`,
      'cross joins': `SELECT count(*) FROM range(1000000000) a, range(1000000000) b WHERE hash(a.range, b.range) = 1`,
      'a giant string': `SELECT repeat('x', 4000000000)`,
      'giant strings': `SELECT repeat(CAST(range AS VARCHAR), 100000000) FROM range(100)`,
      'a giant list': `SELECT list(a.range) FROM range(1000000000) a`,
      'a giant array': `SELECT range(2000000000)`,
      'lists of lists': `SELECT list_transform(range(100000), x -> list_transform(range(100000), y -> x * y))`,
      'a giant padding': `SELECT lpad('', 2000000000, 'x')`,
      'a giant group': `SELECT string_agg(repeat('y', 1000000)) FROM range(100000)`,
      'a giant sort': `SELECT hash(range) AS h FROM range(1000000000) ORDER BY h LIMIT 2 OFFSET 900000000`,
      'a slow expression': `SELECT count(*) FROM range(1000000000) WHERE regexp_matches(repeat(range::VARCHAR, 1000), '(a|b|ab)*c')`,
      'many rows': `SELECT a.range FROM range(100000) a, range(100000) b`,
      'distances of long texts': `SELECT levenshtein(repeat('a', 1000000), repeat('b', 1000000))`,
    };
    for (const [name, sql] of Object.entries(ended)) {
      it(`are ended at their limits: ${name}`, async () => {
        const start = performance.now();
        const code = await getFailureCode(sql);
        assert.ok([Code.ResourceExhausted, Code.DeadlineExceeded].includes(code), Code[code]);
        assert.ok(performance.now() - start < LIMIT_SECONDS * 1000 + SLACK_MS);
        assert.deepEqual(await query(made, 'SELECT 1 AS x'), [{ x: 1 }]);
      });
    }

    it('are rejected when they are nested too deeply', async () => {
      for (const sql of [
        `SELECT ${'('.repeat(50_000)}1${')'.repeat(50_000)}`,
        `SELECT ${'- '.repeat(50_000)}1`,
        `SELECT ${'NOT '.repeat(50_000)} true`,
        `SELECT ${'['.repeat(5_000)}1${']'.repeat(5_000)}`,
        `SELECT ${'1 + '.repeat(60_000)}1`,
        `SELECT * FROM ${'(SELECT * FROM '.repeat(2_000)}readings${')'.repeat(2_000)}`,
        `SELECT '${'x'.repeat(300_000)}'`,
      ]) {
        const codes = [Code.InvalidArgument, Code.ResourceExhausted, Code.DeadlineExceeded];
        const code = await getFailureCode(sql);
        assert.ok(codes.includes(code), `${sql.slice(0, 20)}: ${Code[code]}`);
      }
    });

    it('leave resources for other callers', async () => {
      const median = async (): Promise<number> => {
        const times: number[] = [];
        for (let call = 0; call < 60; call += 1) {
          const start = performance.now();
          await fleet.owner.getRobotPart({ id: made.partId });
          times.push(performance.now() - start);
        }
        return times.sort((a, b) => a - b)[30] ?? 0;
      };
      await median();
      const ratios: number[] = [];
      // Measure more than once, because other load on the computer makes single measurements worse,
      // never better.
      for (let attempt = 0; attempt < 3 && !ratios.some((ratio) => ratio < 5); attempt += 1) {
        const idle = await median();
        const caller = new AbortController();
        const heavy = Array.from({ length: 10 }, () =>
          query(made, ended['a slow expression'] ?? '', caller.signal).catch(
            (error: unknown) => error,
          ),
        );
        await delay(200);
        ratios.push((await median()) / idle);
        caller.abort();
        for (const failure of await Promise.all(heavy)) {
          assert.ok(failure instanceof ConnectError);
        }
      }
      assert.ok(Math.min(...ratios) < 5, `slower by ${ratios.join(', ')}`);
      assert.deepEqual(await query(other, 'SELECT 1 AS x'), [{ x: 1 }]);
    });
  });

  async function listFiles({ organizationId }: Capturer): Promise<string[]> {
    const names = await readdir(join(lakeDir, organizationId));
    return names.filter((name) => name.endsWith('.parquet'));
  }
});
