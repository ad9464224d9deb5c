import assert from 'node:assert/strict';
import { join } from 'node:path';
import { Code, ConnectError } from '@connectrpc/connect';
import { Decimal128, type Document, Long } from 'bson';
import type { QueryProcesses } from '../../../../src/service/query/queryProcesses';
import type { DataShape, ReadingsFiles } from '../../../../src/service/query/queryJob';
import { openQueryProcesses } from '../../../support/openQueryProcesses';
import { ParquetFolder } from '../../../support/parquetFolder';
import { queryRows } from '../../../support/queryRows';

const STARTING_MS = 90_000;

const READINGS = [
  { n: 2, label: 'b', on: true, 'wind "x"/s': 1.5, place: { lat: 47.5 }, list: [1, 2], mixed: 1 },
  { n: 10, label: "it's", on: false, place: { lat: null }, list: [], mixed: 'one' },
  { n: null, label: null, é: 3, nothing: null },
];
const SHAPE: DataShape = {
  readings: {
    n: 'DOUBLE',
    label: 'VARCHAR',
    on: 'BOOLEAN',
    'wind "x"/s': 'DOUBLE',
    é: 'DOUBLE',
    place: { lat: 'DOUBLE' },
    list: ['DOUBLE'],
    mixed: 'JSON',
    nothing: 'NULL',
  },
};

const COLUMNS = [
  ...['organization_id', 'location_id', 'robot_id', 'part_id', 'component_type', 'component_name'],
  ...['method_name', 'time_requested', 'time_received', 'additional_parameters'],
];

describe('SQL over files of readings', function () {
  this.timeout(STARTING_MS);
  let folder: ParquetFolder;
  let runner: QueryProcesses;

  before(async () => {
    folder = new ParquetFolder();
    runner = await openQueryProcesses();
    await folder.write(
      READINGS.map((readings, id) => ({ id, second: id * 100, data: { readings } })),
    );
  });

  after(async () => {
    await runner.close();
    folder[Symbol.dispose]();
  });

  const run = (sql: string, more: Partial<ReadingsFiles> = {}): Promise<Document[]> =>
    queryRows(runner.run({ kind: 'sql', sql, readings: folder.readings(SHAPE, more) }));

  async function getError(sql: string): Promise<string> {
    const failure = ConnectError.from(
      await run(sql).then(
        () => assert.fail(`${sql} did not fail`),
        (error: unknown) => error,
      ),
    );
    assert.equal(failure.code, Code.InvalidArgument, failure.message);
    return failure.rawMessage;
  }

  it('explains that a keyword is an alias only after AS', async () => {
    assert.equal(
      await getError("SELECT (data->'readings'->>'n')::double temp FROM readings"),
      '"temp" is a keyword: to use it as an alias, write AS temp (at "temp", line 1, column 41)',
    );
    assert.match(await getError('SELECT data.readings.n temp, 1 value FROM readings'), /AS temp/);
    assert.match(await getError('SELECT 1 order 2 FROM readings'), /^syntax error at or near "2"/);
    assert.match(await getError('SELECT count(*) form readings'), /^syntax error/);
    assert.match(await getError('SELECT 1 FROM readings WHERE select'), /^syntax error/);
  });

  it('never shows a property of `Object.prototype` as a value', async () => {
    const [row] = await run("SELECT {'constructor': 5, 'a': 1} AS s");
    assert.deepEqual(JSON.stringify(row), '{"s":{"constructor":5,"a":1}}');
    assert.match(await getError("SELECT {'__proto__': 5, 'a': 1} AS s"), /__proto__/);
    const hostile = JSON.parse('{"readings": {"__proto__": 5, "n": 1}}') as Document;
    using files = new ParquetFolder();
    await files.write([{ data: hostile }]);
    const shape = JSON.parse('{"readings": {"__proto__": "DOUBLE", "n": "DOUBLE"}}') as DataShape;
    const readings = files.readings(shape);
    const rows = await queryRows(
      runner.run({ kind: 'sql', sql: 'SELECT data FROM readings', readings }),
    );
    assert.equal(JSON.stringify(rows), '[{"data":{"readings":{"__proto__":5,"n":1}}}]');
  });

  it('reports errors of the query even if they look like damaged files', async () => {
    assert.match(await getError('SELECT decompress(1)'), /decompress does not exist/);
    assert.match(await getError("SELECT 'magic bytes'::int"), /convert string 'magic bytes'/);
    assert.match(await getError("SELECT error('Out of buffer')"), /^Out of buffer/);
  });

  it('returns values at a path with their type', async () => {
    for (const [expression, values] of [
      ['data.readings.n', [10, 2, null]],
      ['data.readings.label', ["it's", 'b', null]],
      ['data.readings.on', [false, true, null]],
      ['readings.data.readings.n', [10, 2, null]],
      ['DATA . readings /* here */ .\n"n"', [10, 2, null]],
      ['data.readings."wind ""x""/s"', [null, 1.5, null]],
      ["data['readings']['n']", [10, 2, null]],
      ['data.readings.é', [null, null, 3]],
      ['data.readings.list[0]', [null, 1, null]],
      ['data.readings.place.lat', [null, 47.5, null]],
      ['data.readings.place', [{ lat: null }, { lat: 47.5 }, null]],
      ['data.readings.mixed', ['one', 1, null]],
      ['data.readings.unknown', [null, null, null]],
      ["data->>'$.readings.label'", ["it's", 'b', null]],
      ["(data->'readings'->'n')::DOUBLE", [10, 2, null]],
    ] as const) {
      const sql = `SELECT ${expression} AS x FROM readings ORDER BY data.readings.n DESC NULLS LAST`;
      const rows = await run(sql);
      assert.deepEqual(
        rows.map(({ x }) => x as unknown),
        values,
        expression,
      );
    }
  });

  it('compares, orders, groups, and calculates with values at a path', async () => {
    assert.deepEqual(
      await run(`SELECT data.readings.label FROM readings
                 WHERE data.readings.label >= 'b' AND data.readings.n > 9 AND NOT data.readings.on`),
      [{ label: "it's" }],
    );
    assert.deepEqual(
      await run(`SELECT data.readings.on, avg(data.readings.n) AS mean, count(*) FROM readings
                 GROUP BY data.readings.on HAVING max(data.readings.n) > 0
                 ORDER BY avg(data.readings.n)`),
      [
        { on: true, mean: 2, 'count(*)': 1 },
        { on: false, mean: 10, 'count(*)': 1 },
      ],
    );
    assert.deepEqual(
      await run(`WITH picked AS (SELECT data.readings.n, data FROM readings)
                 SELECT sum(n) AS s, max(picked.data.readings.n) AS m FROM picked`),
      [{ s: 12, m: 10 }],
    );
    assert.deepEqual(
      await run(`SELECT 'é' AS "ü", (SELECT min(r.data.readings.n) FROM readings r) AS least,
                   sum(data.readings.n) OVER (ORDER BY time_received) AS running
                 FROM readings WHERE data.readings.n IS NOT NULL`),
      [
        { ü: 'é', least: 2, running: 2 },
        { ü: 'é', least: 2, running: 12 },
      ],
    );
  });

  it('names columns as the query does', async () => {
    for (const [selected, names] of [
      ['data.readings.n, n: 1, max(tags) AS m', ['n', 'n_1', 'm']],
      [
        'data.readings.n, max(data.readings.n), data.readings.n',
        ['n', 'max(data.readings.n)', 'n_1'],
      ],
      ["count(*), data['readings']['n']", ['count(*)', "data['readings']['n']"]],
      [
        'DISTINCT data.readings.n * 2, -- twice, FROM\n  MAX( data.readings.mixed )',
        ['data.readings.n * 2', 'MAX( data.readings.mixed )'],
      ],
      ['avg(data.readings.unknown)', ['avg(data.readings.unknown)']],
      ['data.readings.list[0], data.readings.mixed', ['data.readings.list[0]', 'mixed']],
      ["data.readings.n::INT, ', FROM (' || 'x'", ['data.readings.n::INT', "', FROM (' || 'x'"]],
      ["$$'$$ || 'a, b', /* one /* two */ , */ 1+1", ["$$'$$ || 'a, b'", '1+1']],
      ['1 IS DISTINCT FROM 2, 3.5', ['1 IS DISTINCT FROM 2', '3.5']],
      ['1 + 1, * EXCLUDE (data, tags), 2 + 2', ['1 + 1', ...COLUMNS, '2 + 2']],
    ] as const) {
      const [row] = await run(
        `WITH own AS (SELECT 1, 2) SELECT ${selected} FROM readings GROUP BY ALL`,
      );
      assert.deepEqual(Object.keys(row ?? {}), names, selected);
    }
    const [unnested] = await run('SELECT unnest({a: 1, b: 2}), 1 + 1 FROM readings');
    assert.deepEqual(Object.keys(unnested ?? {}), ['a', 'b', '1 + 1']);
    const inner = 'SELECT * FROM (SELECT count(data.readings.mixed) FROM readings)';
    assert.deepEqual(await run(inner), [{ 'count(data.readings.mixed)': 2 }]);
    for (const sql of [
      'SELECT * FROM (SELECT max(data.readings.n) FROM readings)',
      'SELECT max(data.readings.n) FROM readings UNION ALL SELECT 1',
      'FROM readings SELECT max(data.readings.n)',
    ]) {
      assert.deepEqual(Object.keys((await run(sql))[0] ?? {}), ['max(data.readings.n)'], sql);
    }
  });

  it('returns null for fields that no reading has', async () => {
    const empty = await run(
      `SELECT avg(data.readings.unknown), sum(data.readings.place.lat.more) AS s, count(data.x) AS c,
         max(data.readings.nothing) AS m, max(data.readings.n) FILTER (data.readings.unknown = 'x') AS f
       FROM readings WHERE data.readings.unknown IS NULL`,
    );
    assert.deepEqual(empty, [
      { 'avg(data.readings.unknown)': null, s: null, c: 0, m: null, f: null },
    ]);
    const grouped = `SELECT data.readings.unknown, count(*) AS n, data.readings.unknown + 1 AS more
      FROM readings GROUP BY data.readings.unknown ORDER BY data.readings.unknown`;
    assert.deepEqual(await run(grouped), [{ unknown: null, n: 3, more: null }]);
    assert.deepEqual(
      await run('SELECT avg(data.readings.n) AS mean, count(data) AS n FROM readings', {
        files: [],
        shape: 'NULL',
      }),
      [{ mean: null, n: 0 }],
    );
  });

  it('explains how to select one of several types', async () => {
    for (const [expression, cast] of [
      ['avg(data.readings.mixed)', "TRY_CAST(data->>'$.readings.mixed' AS DOUBLE)"],
      ['sum(r.data.readings.mixed)', "TRY_CAST(r.data->>'$.readings.mixed' AS DOUBLE)"],
      ['data.readings.mixed + 1', "TRY_CAST(data->>'$.readings.mixed' AS DOUBLE)"],
    ] as const) {
      const message = await getError(`SELECT ${expression} FROM readings r`);
      assert.ok(message.endsWith(`, for example with ${cast}`), message);
      assert.deepEqual(await run(`SELECT sum(${cast}) AS s FROM readings r`), [{ s: 1 }]);
    }
    assert.doesNotMatch(
      await getError('SELECT nope, avg(data.readings.mixed) FROM readings'),
      /CAST/,
    );
  });

  it('does not change a data column that the query defines', async () => {
    assert.deepEqual(
      await run(`SELECT data.readings.n FROM (SELECT {'readings': {'n': 'own'}} AS data)`),
      [{ n: 'own' }],
    );
    assert.deepEqual(
      await run(`WITH data AS (SELECT {'n': 'own'} AS readings) SELECT data.readings.n FROM data`),
      [{ n: 'own' }],
    );
    assert.deepEqual(
      await run(`SELECT list_transform([{'data': {'readings': {'n': 7}}}],
                                  lambda x: x.data.readings.n) AS own`),
      [{ own: [7] }],
    );
  });

  it('returns every type', async () => {
    const [row] =
      await run(`SELECT 1::TINYINT AS tiny, 2147483648 AS large, 1::HUGEINT << 80 AS huge,
      1.5::DECIMAL(9, 3) AS exact, 3::FLOAT AS single, DATE '2026-02-03' AS day,
      TIMESTAMP '1969-12-31 23:59:59.9995' AS old, TIMESTAMPTZ '2026-02-03 04:05:06+02' AS zoned,
      TIME '01:02:03' AS clock, INTERVAL 90 MINUTE AS span, 'a'::BLOB AS bytes, true AS yes,
      ['a', NULL] AS list, {'x': 1, 'y': [2.5::DOUBLE]} AS struct, MAP {'k': 1} AS map,
      '{"a": [1, null, {"b": "c"}]}'::JSON AS json, 'x'::ENUM('x', 'y') AS choice, NULL AS nothing,
      uuid '00000000-0000-4000-8000-000000000000' AS id, [1, 2]::INT[2] AS pair`);
    const bytes: unknown = row?.bytes;
    assert.deepEqual(row, {
      tiny: 1,
      large: 2147483648,
      single: 3,
      huge: Decimal128.fromString('1208925819614629174706176'),
      exact: 1.5,
      day: new Date('2026-02-03'),
      old: new Date(-1),
      zoned: new Date('2026-02-03T02:05:06Z'),
      clock: '01:02:03',
      span: '01:30:00',
      bytes,
      yes: true,
      list: ['a', null],
      struct: { x: 1, y: [2.5] },
      map: { k: 1 },
      json: { a: [1, null, { b: 'c' }] },
      choice: 'x',
      nothing: null,
      id: '00000000-0000-4000-8000-000000000000',
      pair: [1, 2],
    });
    assert.equal(String(bytes), 'a');
  });

  it('returns decimals as numbers, as long as they are exact', async () => {
    const [row] = await run(`SELECT 1.5 AS literal, 0.1 + 0.2 AS sum, sum(x * 1.1) AS total,
      avg(x) * 1.5 AS average, 0.00 AS zero, [1.5, -0.25] AS list, {'a': 99.99} AS struct,
      1e-30::DECIMAL(38, 30) AS small, 999999999999999.0 AS most, 9999999999999999.0 AS more,
      FROM (VALUES (1), (2)) AS v(x)`);
    assert.deepEqual(row, {
      literal: 1.5,
      sum: 0.3,
      total: 3.3,
      average: 2.25,
      zero: 0,
      list: [1.5, -0.25],
      struct: { a: 99.99 },
      small: 1e-30,
      most: 999_999_999_999_999,
      more: Decimal128.fromString('9999999999999999.0'),
    });
  });

  it('returns large numbers of readings as doubles if a double represents them', async () => {
    const numbers = [9007199254740992, 1e18, 1e20, 1e21];
    const json = `{"numbers": [${numbers.map((n) => BigInt(n)).join(', ')}, 9007199254740993]}`;
    const [row] = await run(`SELECT '${json}'::JSON AS data`);
    assert.deepEqual(row, { data: { numbers: [...numbers, Long.fromString('9007199254740993')] } });
  });

  it('omits deleted readings, and old ones from recent data', async () => {
    const count = 'SELECT count(*)::INT AS n FROM readings';
    const day = { from: 0, to: 150_000_000 };
    for (const [more, n] of [
      [{}, 3],
      [{ storedFrom: 100_000_000 }, 2],
      [{ deletions: [{ seriesId: 1, throughId: 9, ...day }] }, 1],
      [{ deletions: [{ seriesId: 1, throughId: 0, ...day }] }, 2],
      [{ deletions: [{ seriesId: 2, throughId: 9, ...day }] }, 3],
      [{ files: [] }, 0],
    ] as const) {
      assert.deepEqual(await run(count, more), [{ n }], JSON.stringify(more));
    }
  });

  it('reports that there are no readings after their organization was deleted', async () => {
    const gone = run('SELECT 1', { directory: join(folder.directory, 'gone') });
    await assert.rejects(
      gone,
      (error) => error instanceof ConnectError && error.code === Code.NotFound,
    );
    assert.deepEqual(await run('SELECT 1 AS n'), [{ n: 1 }]);
  });

  it('describes the table, even if it is empty', async () => {
    for (const files of [undefined, []]) {
      const rows = await run('DESCRIBE readings', files && { files });
      assert.deepEqual(
        rows.map(({ column_name, column_type }) => `${String(column_name)} ${String(column_type)}`),
        [
          ...['organization_id VARCHAR', 'location_id VARCHAR', 'robot_id VARCHAR'],
          ...['part_id VARCHAR', 'component_type VARCHAR', 'component_name VARCHAR'],
          ...['method_name VARCHAR', 'time_requested TIMESTAMP', 'time_received TIMESTAMP'],
          ...['tags VARCHAR[]', 'additional_parameters JSON', 'data JSON'],
        ],
      );
    }
    assert.deepEqual(await run('SHOW TABLES'), [{ name: 'readings' }]);
  });

  it('reports errors with the names in the query', async () => {
    assert.match(
      await getError(
        "SELECT 'é',\n  avg(data.readings.n), data.readings.nope, missing FROM readings",
      ),
      /^Referenced column "missing" not found in FROM clause!.* \(at "missing", line 2, column 45\)$/,
    );
    assert.match(
      await getError('SELECT location_id, data.readings.n FROM readings GROUP BY 1'),
      /^column "data.readings.n" must appear in the GROUP BY .*\(at "data.readings.n", line 1, column 21\)$/,
    );
    assert.match(await getError('SELECT avg(data.readings.label) FROM readings'), /avg\(VARCHAR\)/);
    assert.match(await getError('SELECT $1'), /parameter/);
    assert.match(await getError('-- nothing'), /one SELECT statement/);
  });
});
