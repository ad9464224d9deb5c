import { Binary, Decimal128, type Document, Double, Int32, Long } from 'bson';
import { parse } from 'csv-parse/sync';
import assert from 'node:assert/strict';
import { exportResult, type ResultExport } from '../../../../../src/core/query/export/exportResult';
import type { QueryRun } from '../../../../../src/core/query/queryRun';
import { QueryRuns } from '../../../../../src/core/query/queryRuns';
import { englishWorkbook } from '../../../../support/englishWorkbook';
import { MemoryExportFile } from '../../data/memoryExportFile';
import { MemorySpools, query, createQuerySource } from '../results/rows';
import { readParquet } from './readParquet';

const noon = new Date('2026-11-21T12:00:00.250Z');

describe('the export of a result', () => {
  let spools: MemorySpools;
  let runs: QueryRuns;
  let file: MemoryExportFile;

  beforeEach(() => {
    spools = new MemorySpools();
    runs = new QueryRuns(spools, { bounds: { rows: 3, bytes: 1_000_000 } });
    file = new MemoryExportFile();
  });

  afterEach(() => {
    runs.dispose();
  });

  async function ended(...batches: readonly (readonly Document[])[]): Promise<QueryRun> {
    const run = runs.start(query, createQuerySource(...batches));
    await run.ended;
    return run;
  }

  function write(run: QueryRun, options: Partial<ResultExport> = {}): Promise<number> {
    return exportResult(run, {
      format: 'csv',
      file,
      spools,
      signal: new AbortController().signal,
      workbook: englishWorkbook,
      onProgress: () => undefined,
      ...options,
    });
  }

  it('has a column for each value in CSV, guarded against formulas', async () => {
    const run = await ended([
      { name: '=1+1', at: noon, n: 1.5, deep: { big: Long.MAX_VALUE, list: [1, 'x'] } },
      { name: 'quoted "x"', n: null, deep: { raw: new Binary(Buffer.from('ff00', 'hex')) } },
    ]);
    assert.equal(await write(run), 2);
    assert.deepEqual(parse(file.text), [
      ['name', 'at', 'n', 'deep.big', 'deep.list', 'deep.raw'],
      ["'=1+1", '2026-11-21T12:00:00.250Z', '1.5', '9223372036854775807', '[1,"x"]', ''],
      ['quoted "x"', '', 'null', '', '', 'ff00'],
    ]);
  });

  it('has all rows, including those that were not retained', async () => {
    const rows = [1, 2, 3, 4, 5].map((n) => ({ n }));
    for (const format of ['csv', 'ndjson', 'json', 'parquet'] as const) {
      file = new MemoryExportFile();
      const run = await ended(rows.slice(0, 2), rows.slice(2));
      assert.equal(run.status.state, 'full');
      const progress: [number, number | undefined][] = [];
      const onProgress = (done: number, of?: number): void => void progress.push([done, of]);
      assert.equal(await write(run, { format, onProgress }), 5);
      assert.equal(progress.at(-1)?.[0], 5);
      if (format === 'ndjson') {
        assert.equal(file.text, '{"n":1}\n{"n":2}\n{"n":3}\n{"n":4}\n{"n":5}\n');
      }
      if (format === 'json') assert.deepEqual(JSON.parse(file.text), rows);
      if (format === 'parquet') assert.deepEqual((await readParquet(file.bytes)).rows, rows);
    }
    assert.equal(spools.open, 4);
  });

  it('does not run the query again if all rows are retained', async () => {
    let requestCount = 0;
    const source = createQuerySource([{ n: 1 }], [{ n: 2 }]);
    const run = runs.start(query, {
      run: (...question) => {
        requestCount += 1;
        return source.run(...question);
      },
    });
    await run.ended;
    const progress: unknown[] = [];
    await write(run, { format: 'json', onProgress: (...counts) => progress.push(counts) });
    assert.deepEqual(JSON.parse(file.text), [{ n: 1 }, { n: 2 }]);
    assert.deepEqual([requestCount, progress], [1, [[2, 2]]]);
  });

  it('is a valid file even without rows', async () => {
    const run = await ended([]);
    for (const [format, text] of [
      ['csv', '\r\n'],
      ['ndjson', ''],
      ['json', '[]\n'],
    ] as const) {
      file = new MemoryExportFile();
      assert.equal(await write(run, { format }), 0);
      assert.equal(file.text, text);
    }
  });

  it('stops when it is canceled', async () => {
    const run = await ended([{ n: 1 }, { n: 2 }, { n: 3 }, { n: 4 }]);
    for (const format of ['csv', 'parquet'] as const) {
      const controller = new AbortController();
      const onProgress = (): void => controller.abort();
      await assert.rejects(write(run, { format, signal: controller.signal, onProgress }), {
        name: 'AbortError',
      });
    }
  });

  it('has the type of each column in Parquet', async () => {
    const decimal = Decimal128.fromString('12345678901234567890.10');
    const run = await ended([
      {
        flag: true,
        small: new Int32(1),
        whole: new Int32(2),
        mixed: new Int32(3),
        at: noon,
        text: 'ü',
        exact: decimal,
        odd: 1,
        raw: new Binary(Buffer.from('ff', 'hex')),
        list: [Long.MAX_VALUE],
        none: null,
        deep: { n: new Double(NaN) },
      },
      {
        flag: false,
        whole: Long.fromNumber(2 ** 40),
        mixed: new Double(0.5),
        odd: 'x',
        large: Long.MAX_VALUE,
        list: [{ a: 1 }],
      },
      { large: new Double(1.5), deep: { n: new Double(2) } },
    ]);
    assert.equal(await write(run, { format: 'parquet' }), 3);
    const { types, rows } = await readParquet(file.bytes);
    assert.deepEqual(types, {
      flag: 'BOOLEAN',
      small: 'INTEGER',
      whole: 'BIGINT',
      mixed: 'DOUBLE',
      at: 'TIMESTAMP WITH TIME ZONE',
      text: 'VARCHAR',
      exact: 'DECIMAL(22,2)',
      odd: 'VARCHAR',
      raw: 'BLOB',
      list: 'VARCHAR',
      none: 'VARCHAR',
      'deep.n': 'DOUBLE',
      large: 'VARCHAR',
    });
    assert.deepEqual(rows, [
      {
        flag: true,
        small: 1,
        whole: 2n,
        mixed: 3,
        at: noon.toISOString(),
        text: 'ü',
        exact: '12345678901234567890.10',
        odd: '1',
        raw: 'ff',
        list: '[9223372036854775807]',
        none: null,
        'deep.n': NaN,
        large: null,
      },
      {
        flag: false,
        small: null,
        whole: 2n ** 40n,
        mixed: 0.5,
        at: null,
        text: null,
        exact: null,
        odd: 'x',
        raw: null,
        list: '[{"a":1}]',
        none: null,
        'deep.n': null,
        large: '9223372036854775807',
      },
      {
        flag: null,
        small: null,
        whole: null,
        mixed: null,
        at: null,
        text: null,
        exact: null,
        odd: null,
        raw: null,
        list: null,
        none: null,
        'deep.n': 2,
        large: '1.5',
      },
    ]);
  });

  it('writes values without a column to the last one', async () => {
    const wide = Object.fromEntries(Array.from({ length: 2_003 }, (_, n) => [`k${n}`, n]));
    const run = await ended([{ k0: 7 }, wide]);
    await write(run, { format: 'parquet' });
    const { rows } = await readParquet(file.bytes);
    assert.deepEqual(
      rows.map((row) => row['(further)']),
      [null, '{"k2000":2000,"k2001":2001,"k2002":2002}'],
    );
  });

  it('is written group by group', async () => {
    runs.dispose();
    runs = new QueryRuns(spools);
    const rows = Array.from({ length: 60_000 }, (_, n) => ({ n, name: `row ${n % 9}` }));
    const run = await ended(rows.slice(0, 40_000), rows.slice(40_000));
    assert.equal(await write(run, { format: 'parquet' }), 60_000);
    const read = await readParquet(file.bytes);
    assert.deepEqual([read.rows.length, read.rows.at(-1)], [60_000, rows.at(-1)]);
  });
});
