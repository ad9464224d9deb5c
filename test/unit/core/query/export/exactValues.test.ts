import '../../../../support/plainVscode';
import { Binary, deserialize } from 'bson';
import { parse } from 'csv-parse/sync';
import assert from 'node:assert/strict';
import { formatFullValue } from '../../../../../src/core/data/tables/formatCell';
import { copyRows } from '../../../../../src/core/data/tables/copyRows';
import { exportResult, type ResultFormat } from '../../../../../src/core/query/export/exportResult';
import type { QueryRun } from '../../../../../src/core/query/queryRun';
import { QueryRuns } from '../../../../../src/core/query/queryRuns';
import { documentAt } from '../../../../../src/core/query/results/bson/bsonValue';
import {
  columnTypes,
  copiedColumn,
  shownRow,
} from '../../../../../src/host/features/query/results/viewedRows';
import type { QueryProcesses } from '../../../../../src/service/query/queryProcesses';
import { openQueryProcesses } from '../../../../support/openQueryProcesses';
import { englishWorkbook } from '../../../../support/englishWorkbook';
import { ParquetFolder } from '../../../../support/parquetFolder';
import { MemoryExportFile } from '../../data/memoryExportFile';
import { MemorySpools, query } from '../results/rows';
import { readParquet } from './readParquet';
import { readWorkbook } from './readWorkbook';

interface Exact {
  readonly sql: string;
  /** Type of the column in a query. */
  readonly type: string;
  /**
   * The value as text in the grid, in copied cells, in CSV, and, unless `json` differs, in JSON.
   */
  readonly text: string;
  /** The text in the grid, if it differs. */
  readonly grid?: string;
  /** The value in JSON; a string if JSON can't represent the value. */
  readonly json: string;
  /** Type in Parquet. When DuckDB casts the value to text, the result is `text`. */
  readonly parquet: string;
  readonly parquetText?: string;
  /** Type in a workbook. If the value is written as text, it is `text`. */
  readonly xlsx: string;
  /** The type and value on the public wire, where times are BSON dates in milliseconds. */
  readonly wire: readonly [type: string, text: string];
}

/** Expected output for values of each type in all formats: none is rounded. */
const EXACT: Readonly<Record<string, Exact>> = {
  'a boolean': {
    xlsx: 'boolean',
    sql: 'true',
    type: 'boolean',
    text: 'true',
    json: 'true',
    parquet: 'BOOLEAN',
    wire: ['boolean', 'true'],
  },
  'an integer of 32 bits': {
    xlsx: 'number',
    sql: '-2147483648',
    type: 'integer',
    text: '-2147483648',
    json: '-2147483648',
    parquet: 'INTEGER',
    wire: ['number', '-2147483648'],
  },
  'an integer that no double holds': {
    xlsx: 'integer (as text)',
    sql: '9007199254740993',
    type: 'integer',
    text: '9007199254740993',
    json: '9007199254740993',
    parquet: 'BIGINT',
    wire: ['Long', '9007199254740993'],
  },
  'an unsigned integer of 64 bits': {
    xlsx: 'decimal (as text)',
    sql: '18446744073709551615::UBIGINT',
    type: 'decimal',
    text: '18446744073709551615',
    json: '18446744073709551615',
    parquet: 'DECIMAL(20,0)',
    wire: ['Decimal128', '18446744073709551615'],
  },
  'an integer of 30 digits': {
    xlsx: 'decimal (as text)',
    sql: '123456789012345678901234567890',
    type: 'decimal',
    text: '123456789012345678901234567890',
    json: '123456789012345678901234567890',
    parquet: 'DECIMAL(30,0)',
    wire: ['Decimal128', '123456789012345678901234567890'],
  },
  'an integer of 39 digits': {
    xlsx: 'text',
    sql: '-170141183460469231731687303715884105727',
    type: 'text',
    text: '-170141183460469231731687303715884105727',
    json: '"-170141183460469231731687303715884105727"',
    parquet: 'VARCHAR',
    wire: ['string', '-170141183460469231731687303715884105727'],
  },
  'a decimal with a zero at its end': {
    xlsx: 'decimal (as text)',
    sql: '1.10',
    type: 'decimal',
    text: '1.10',
    json: '1.10',
    parquet: 'DECIMAL(3,2)',
    wire: ['number', '1.1'],
  },
  'a decimal of 15 digits': {
    xlsx: 'decimal (as text)',
    sql: '1234567890.12345',
    type: 'decimal',
    text: '1234567890.12345',
    json: '1234567890.12345',
    parquet: 'DECIMAL(15,5)',
    wire: ['number', '1234567890.12345'],
  },
  'a decimal of 16 digits': {
    xlsx: 'decimal (as text)',
    sql: '12345678901.12345',
    type: 'decimal',
    text: '12345678901.12345',
    json: '12345678901.12345',
    parquet: 'DECIMAL(16,5)',
    wire: ['Decimal128', '12345678901.12345'],
  },
  'a decimal of few digits in a wide column': {
    xlsx: 'decimal (as text)',
    sql: '-1.5::DECIMAL(38, 20)',
    type: 'decimal',
    text: '-1.50000000000000000000',
    json: '-1.50000000000000000000',
    parquet: 'DECIMAL(21,20)',
    wire: ['number', '-1.5'],
  },
  'a negative decimal of 34 digits': {
    xlsx: 'decimal (as text)',
    sql: '-12345678901234567890123456789012.34',
    type: 'decimal',
    text: '-12345678901234567890123456789012.34',
    json: '-12345678901234567890123456789012.34',
    parquet: 'DECIMAL(34,2)',
    wire: ['Decimal128', '-12345678901234567890123456789012.34'],
  },
  'a small decimal': {
    xlsx: 'decimal (as text)',
    sql: '0.00100::DECIMAL(9, 5)',
    type: 'decimal',
    text: '0.00100',
    json: '0.00100',
    parquet: 'DECIMAL(6,5)',
    wire: ['number', '0.001'],
  },
  'a decimal of 38 digits': {
    xlsx: 'text',
    sql: "'0.12345678901234567890123456789012345678'::DECIMAL(38, 38)",
    type: 'text',
    text: '0.12345678901234567890123456789012345678',
    json: '"0.12345678901234567890123456789012345678"',
    parquet: 'VARCHAR',
    wire: ['string', '0.12345678901234567890123456789012345678'],
  },
  'a double': {
    xlsx: 'number',
    sql: '0.1::DOUBLE',
    type: 'double',
    text: '0.1',
    json: '0.1',
    parquet: 'DOUBLE',
    wire: ['number', '0.1'],
  },
  'a timestamp in milliseconds': {
    xlsx: 'timestamp in UTC',
    sql: "TIMESTAMP '2026-11-21 12:00:00.123'",
    type: 'timestamp',
    text: '2026-11-21T12:00:00.123Z',
    json: '"2026-11-21T12:00:00.123Z"',
    parquet: 'TIMESTAMP WITH TIME ZONE',
    parquetText: '2026-11-21 12:00:00.123+00',
    wire: ['Date', '2026-11-21T12:00:00.123Z'],
  },
  'a timestamp in microseconds': {
    xlsx: 'timestamp in UTC (as text)',
    sql: "TIMESTAMP '2026-11-21 12:00:00.123456'",
    type: 'timestamp',
    text: '2026-11-21T12:00:00.123456Z',
    json: '"2026-11-21T12:00:00.123456Z"',
    parquet: 'TIMESTAMP WITH TIME ZONE',
    parquetText: '2026-11-21 12:00:00.123456+00',
    wire: ['Date', '2026-11-21T12:00:00.123Z'],
  },
  'a timestamp before 1970': {
    xlsx: 'timestamp in UTC (as text)',
    sql: "TIMESTAMPTZ '1969-12-31 23:59:59.999999+00'",
    type: 'timestamp',
    text: '1969-12-31T23:59:59.999999Z',
    json: '"1969-12-31T23:59:59.999999Z"',
    parquet: 'TIMESTAMP WITH TIME ZONE',
    parquetText: '1969-12-31 23:59:59.999999+00',
    wire: ['Date', '1969-12-31T23:59:59.999Z'],
  },
  'a timestamp in nanoseconds': {
    xlsx: 'timestamp in UTC (as text)',
    sql: "'2026-11-21 12:00:00.123456789'::TIMESTAMP_NS",
    type: 'timestamp',
    text: '2026-11-21T12:00:00.123456789Z',
    json: '"2026-11-21T12:00:00.123456789Z"',
    parquet: 'VARCHAR',
    wire: ['Date', '2026-11-21T12:00:00.123Z'],
  },
  'a date': {
    xlsx: 'date',
    sql: "DATE '2026-11-21'",
    type: 'date',
    text: '2026-11-21',
    json: '"2026-11-21"',
    parquet: 'DATE',
    wire: ['Date', '2026-11-21T00:00:00.000Z'],
  },
  'a time of day': {
    xlsx: 'text',
    sql: "TIME '12:00:00.123456'",
    type: 'text',
    text: '12:00:00.123456',
    json: '"12:00:00.123456"',
    parquet: 'VARCHAR',
    wire: ['string', '12:00:00.123456'],
  },
  'a UUID': {
    xlsx: 'text',
    sql: "'00112233-4455-6677-8899-aabbccddeeff'::UUID",
    type: 'text',
    text: '00112233-4455-6677-8899-aabbccddeeff',
    parquet: 'VARCHAR',
    json: '"00112233-4455-6677-8899-aabbccddeeff"',
    wire: ['string', '00112233-4455-6677-8899-aabbccddeeff'],
  },
  'the smallest integer of 64 bits': {
    xlsx: 'integer (as text)',
    sql: '(-9223372036854775808)::BIGINT',
    type: 'integer',
    text: '-9223372036854775808',
    json: '-9223372036854775808',
    parquet: 'BIGINT',
    wire: ['Long', '-9223372036854775808'],
  },
  'a double that is no number': {
    xlsx: 'number (as text)',
    sql: "'NaN'::DOUBLE",
    type: 'double',
    text: 'NaN',
    json: '"NaN"',
    parquet: 'DOUBLE',
    parquetText: 'nan',
    wire: ['number', 'NaN'],
  },
  'an infinite double': {
    xlsx: 'number (as text)',
    sql: "'-Infinity'::DOUBLE",
    type: 'double',
    text: '-Infinity',
    json: '"-Infinity"',
    parquet: 'DOUBLE',
    parquetText: '-inf',
    wire: ['number', '-Infinity'],
  },
  'an interval': {
    xlsx: 'text',
    sql: "INTERVAL '1 year 2 days 03:04:05.678901'",
    type: 'text',
    text: '1 year 2 days 03:04:05.678901',
    json: '"1 year 2 days 03:04:05.678901"',
    parquet: 'VARCHAR',
    wire: ['string', '1 year 2 days 03:04:05.678901'],
  },
  bytes: {
    xlsx: 'binary',
    sql: String.raw`'\xFF\x00a'::BLOB`,
    type: 'binary',
    text: 'ff0061',
    json: '"ff0061"',
    grid: '3 ff0061',
    parquet: 'BLOB',
    parquetText: String.raw`\xFF\x00a`,
    wire: ['Binary', 'ff0061'],
  },
  'exact values in a list of structs': {
    xlsx: 'json',
    sql: "[{'n': 123456789012345678901234567890, 'at': TIMESTAMP '2026-11-21 12:00:00.123456'}]",
    type: 'json',
    text: '[{"n":123456789012345678901234567890,"at":"2026-11-21T12:00:00.123456Z"}]',
    json: '[{"n":123456789012345678901234567890,"at":"2026-11-21T12:00:00.123456Z"}]',
    parquet: 'VARCHAR',
    wire: ['Array', '[object Object]'],
  },
  'exact values in a list': {
    xlsx: 'json',
    sql: '[1.10, 2.20]',
    type: 'json',
    text: '[1.10,2.20]',
    json: '[1.10,2.20]',
    parquet: 'VARCHAR',
    wire: ['Array', '1.1,2.2'],
  },
  'an integer in JSON': {
    xlsx: 'integer (as text)',
    sql: `json('{"id":9007199254740993}').id`,
    type: 'integer',
    text: '9007199254740993',
    json: '9007199254740993',
    parquet: 'BIGINT',
    wire: ['Long', '9007199254740993'],
  },
};

function writeWireValue(value: unknown): string {
  if (value instanceof Binary) return value.toString('hex');
  return value instanceof Date ? value.toISOString() : String(value);
}

const labels = { items: String, bytes: String };
const { signal } = new AbortController();

describe('exact values of a query', function () {
  this.timeout(120_000);
  let folder: ParquetFolder;
  let runner: QueryProcesses;
  const spools = new MemorySpools();
  const runs = new QueryRuns(spools);

  before(async () => {
    folder = new ParquetFolder();
    runner = await openQueryProcesses();
    await folder.write([{ data: { readings: { n: 1 } } }]);
  });

  after(async () => {
    runs.dispose();
    await runner.close();
    folder[Symbol.dispose]();
  });

  const answer = (sql: string, exactValues: boolean): AsyncIterable<Uint8Array> =>
    runner.run({ kind: 'sql', sql, exactValues, readings: folder.readings() });

  async function startRun(sql: string): Promise<QueryRun> {
    const run = runs.start(query, {
      async *run() {
        for await (const row of answer(sql, true)) yield [row];
      },
    });
    await run.ended;
    assert.equal(run.status.error, undefined);
    return run;
  }

  async function exported(run: QueryRun, format: ResultFormat) {
    const file = new MemoryExportFile();
    await exportResult(run, {
      format,
      file,
      spools,
      signal,
      workbook: englishWorkbook,
      onProgress: () => undefined,
    });
    return file;
  }

  for (const [name, exact] of Object.entries(EXACT)) {
    const { sql, type, text, grid, json, parquet, parquetText, xlsx, wire } = exact;
    const dense = json.replaceAll(/\s+/g, '');
    it(`have all digits of ${name} in every output`, async () => {
      const run = await startRun(`SELECT ${sql} AS v`);
      const [chunk] = await run.table.store.rowsAt(Uint32Array.of(0));
      assert.ok(chunk);
      const row = documentAt(chunk.bytes, chunk.starts[0] ?? 0);
      assert.deepEqual(columnTypes(run.table), [type], 'the mark of the column');
      assert.equal(shownRow(run.table, chunk, 0, labels).cells[0]?.text, grid ?? text, 'the grid');
      assert.equal(formatFullValue(row).replaceAll(/\s+/g, ''), `{"v":${dense}}`, 'the JSON view');
      const copied = (format: 'tsv' | 'json' | 'markdown'): string =>
        copyRows([row], [copiedColumn(run, 'c0')], format, { rows: 9, characters: 999 }).text;
      assert.equal(copied('tsv'), `v\n${text}`, 'copied cells');
      assert.equal(copied('json'), `[\n{"v":${json}}\n]`, 'copied JSON');
      const markdown = text.replaceAll(/[[\]]/g, String.raw`\$&`);
      assert.equal(copied('markdown'), `| v |\n| --- |\n| ${markdown} |\n`, 'copied Markdown');
      const csv: unknown = parse((await exported(run, 'csv')).text);
      assert.deepEqual(csv, [['v'], [text]], 'CSV');
      assert.equal((await exported(run, 'ndjson')).text, `{"v":${json}}\n`, 'NDJSON');
      const whole = (await exported(run, 'json')).text.replaceAll(/\s+/g, '');
      assert.equal(whole, `[{"v":${dense}}]`, 'JSON');
      const { types, rows } = await readParquet((await exported(run, 'parquet')).bytes, true);
      assert.equal(types.v, parquet, 'the type in Parquet');
      assert.equal(rows[0]?.v, parquetText ?? text, 'Parquet');
      const sheets = readWorkbook((await exported(run, 'xlsx')).bytes);
      assert.deepEqual(sheets.Rows, [['v'], [text]], 'XLSX');
      assert.deepEqual(sheets.Columns?.[1], ['v', xlsx, ''], 'the type in XLSX');
    });

    it(`have ${name} as BSON on the public wire`, async () => {
      for await (const bytes of answer(`SELECT ${sql} AS v`, false)) {
        const { v } = deserialize(bytes, { promoteLongs: false, promoteValues: true });
        const value: unknown = v;
        const typeName =
          typeof value === 'object' && value !== null ? value.constructor.name : typeof value;
        const written = writeWireValue(value);
        assert.deepEqual([typeName, written], wire);
      }
    });
  }

  it('have all digits of the fields of a struct, in a column each', async () => {
    const at = "TIMESTAMP '2026-11-21 12:00:00.123456'";
    const run = await startRun(`SELECT {'n': 1.10, 'deep': {'at': ${at}}} AS v`);
    assert.deepEqual(columnTypes(run.table), ['decimal', 'timestamp']);
    const texts = ['1.10', '2026-11-21T12:00:00.123456Z'];
    const csv: unknown = parse((await exported(run, 'csv')).text);
    assert.deepEqual(csv, [['v.n', 'v.deep.at'], texts]);
    const json = '{"v":{"n":1.10,"deep":{"at":"2026-11-21T12:00:00.123456Z"}}}';
    assert.equal((await exported(run, 'ndjson')).text, `${json}\n`);
    const { types } = await readParquet((await exported(run, 'parquet')).bytes, true);
    assert.deepEqual(types, { 'v.n': 'DECIMAL(3,2)', 'v.deep.at': 'TIMESTAMP WITH TIME ZONE' });
    const { Rows } = readWorkbook((await exported(run, 'xlsx')).bytes);
    assert.deepEqual(Rows, [['v.n', 'v.deep.at'], texts]);
  });
});
