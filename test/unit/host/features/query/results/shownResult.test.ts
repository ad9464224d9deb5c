import '../../../../../support/plainVscode';
import type { Document } from 'bson';
import assert from 'node:assert/strict';
import type { QueryRun } from '../../../../../../src/core/query/queryRun';
import { QueryRuns } from '../../../../../../src/core/query/queryRuns';
import {
  columnsFrom,
  columnTypes,
  copiedColumn,
  nodesAt,
  profiledColumns,
  readDocuments,
  readFullText,
  readRowChunks,
  readValue,
  shownChart,
  shownRow,
} from '../../../../../../src/host/features/query/results/viewedRows';
import { resultMessages } from '../../../../../../src/shared/query/results';
import { MemorySpools, query, createQuerySource } from '../../../../core/query/results/rows';

const { signal } = new AbortController();
const labels = {
  items: (count: number): string => `[${count} items]`,
  bytes: (count: number): string => `[${count} bytes]`,
};
const rows: readonly Document[] = [
  { n: 2, name: 'b', deep: { at: new Date(0), list: [1, { x: '\u202ey' }] } },
  { n: 1, name: 'a', 'odd\u202e': { z: null } },
];

describe('the messages of a result for its page', () => {
  let runs: QueryRuns;
  let run: QueryRun;

  beforeEach(async () => {
    runs = new QueryRuns(new MemorySpools());
    run = runs.start(query, createQuerySource(rows));
    await run.ended;
  });

  afterEach(() => {
    runs.dispose();
  });

  const sorted = (): { result: string; sort: { column: string; descending: boolean } } => ({
    result: run.id,
    sort: { column: 'c0', descending: false },
  });

  it('contain rows of a view with the columns that it does not have yet', async () => {
    const chunks = await readRowChunks(run, sorted(), 0, 5, signal);
    const shown = chunks.flatMap((chunk) =>
      chunk.starts.map((_, index) => shownRow(run.table, chunk, index, labels)),
    );
    assert.deepEqual(
      shown.map(({ cells }) => cells.map(({ column, kind, text }) => [column, kind, text])),
      [
        [
          ['c0', 'number', '1'],
          ['c1', 'text', 'a'],
          ['c4', 'null', 'null'],
        ],
        [
          ['c0', 'number', '2'],
          ['c1', 'text', 'b'],
          ['c2', 'time', '1970-01-01T00:00:00.000Z'],
          ['c3', 'json', '[1,{"x":"\ufffdy"}]'],
        ],
      ],
    );
    const columns = columnsFrom(run.table, 3);
    assert.deepEqual(
      columns.map(({ name }) => name),
      ['deep.list', 'odd\ufffd.z'],
    );
    const types = columnTypes(run.table);
    assert.deepEqual(types, ['integer', 'text', 'timestamp', 'json', '']);
    assert.ok(resultMessages.resultRows.result({ start: 0, rows: shown, columns, types }));
  });

  it('contain the whole text of a cell or row', async () => {
    const at = { ...sorted(), rowIndex: 1 };
    assert.equal(await readFullText(run, { ...at, column: 'c1' }, signal), 'b');
    assert.equal(await readFullText(run, { ...at, column: 'c4' }, signal), '');
    assert.equal(
      await readFullText(run, { ...at, rowIndex: 0 }, signal),
      JSON.stringify(rows[1], undefined, 2),
    );
    await assert.rejects(readFullText(run, { ...at, rowIndex: 2 }, signal), { kind: 'notFound' });
    await assert.rejects(readFullText(run, { ...at, column: 'c9' }, signal), { kind: 'notFound' });
    await assert.rejects(readFullText(run, { ...at, column: '__proto__' }, signal), {
      kind: 'notFound',
    });
  });

  it('contain a row level by level', async () => {
    const range = { start: 0, end: 10 };
    const row = await readValue(run, { result: run.id, rowIndex: 0 }, signal);
    assert.deepEqual(nodesAt(row, [], range, labels), {
      size: 3,
      nodes: [
        { key: 'n', kind: 'number', text: '2' },
        { key: 'name', kind: 'text', text: 'b' },
        { key: 'deep', kind: 'object', text: '', size: 2 },
      ],
    });
    const list = nodesAt(row, ['deep', 'list'], { start: 1, end: 2 }, labels);
    assert.deepEqual(list, {
      size: 2,
      nodes: [{ key: '1', kind: 'object', text: '', size: 1 }],
    });
    assert.equal(nodesAt(row, ['deep', 'list', '1'], range, labels).nodes[0]?.text, '\ufffdy');
    assert.deepEqual(nodesAt(row, ['constructor'], range, labels), { size: 0, nodes: [] });
    const odd = await readValue(run, { result: run.id, rowIndex: 1 }, signal);
    assert.equal(nodesAt(odd, ['odd\ufffd'], range, labels).nodes[0]?.key, 'z');
  });

  it('contain a cell level by level, and nothing for an empty one', async () => {
    const range = { start: 0, end: 10 };
    const cell = await readValue(run, { result: run.id, rowIndex: 0, column: 'c3' }, signal);
    assert.deepEqual(nodesAt(cell, [], range, labels), {
      size: 2,
      nodes: [
        { key: '0', kind: 'number', text: '1' },
        { key: '1', kind: 'object', text: '', size: 1 },
      ],
    });
    const none = await readValue(run, { result: run.id, rowIndex: 1, column: 'c3' }, signal);
    assert.deepEqual(nodesAt(none, [], range, labels), { size: 0, nodes: [] });
  });

  it('contain filtered rows, by the IDs of columns', async () => {
    const filter = { column: 'c1', condition: 'equals', value: 'B' } as const;
    const view = { result: run.id, filters: [filter] };
    assert.ok(resultMessages.arrangeResult.params(view));
    assert.deepEqual(
      (await readDocuments(run, view, 0, 9, signal)).map(({ n }) => n),
      [2],
    );
    const unknown = { ...view, filters: [{ ...filter, column: 'c9' }] };
    await assert.rejects(readDocuments(run, unknown, 0, 9, signal), { kind: 'notFound' });
    const odd = { ...view, filters: [{ ...filter, condition: 'runs' }] };
    assert.ok(!resultMessages.arrangeResult.params(odd));
  });

  it('contain copied cells by column', async () => {
    const copied = await readDocuments(run, sorted(), 0, 9, signal);
    const { name, valueIn } = copiedColumn(run, 'c3');
    assert.equal(name, 'deep.list');
    assert.deepEqual(copied.map(valueIn), [undefined, [1, { x: '\u202ey' }]]);
  });

  it('contain a chart, and its possible columns', async () => {
    const profiled = profiledColumns(run).map(({ id, numbers, times, texts }) => {
      return [id, numbers, times, texts];
    });
    assert.deepEqual(profiled.slice(0, 3), [
      ['c0', 2, 0, 0],
      ['c1', 0, 0, 2],
      ['c2', 0, 1, 0],
    ]);
    const request = { ...sorted(), kind: 'bar', x: 'c1', y: ['c0'] } as const;
    const chart = await shownChart(run, request, signal);
    assert.ok(resultMessages.chartResult.result(chart));
    assert.deepEqual([chart.xKind, chart.labels], ['text', ['a', 'b']]);
    const [series] = chart.series;
    assert.deepEqual([...new Float64Array(series?.y ?? new ArrayBuffer(0))], [1, 2]);
  });
});
