import type { Document } from 'bson';
import assert from 'node:assert/strict';
import {
  type ChartQuestion,
  type DrawnChart,
  resultChart,
} from '../../../../../../src/core/query/results/chart/resultChart';
import { ResultTable } from '../../../../../../src/core/query/results/resultTable';
import { ResultViews } from '../../../../../../src/core/query/results/resultViews';
import { createBatch, MemorySpools } from '../rows';

const { signal } = new AbortController();

describe('the chart of a result', () => {
  let table: ResultTable;
  let views: ResultViews;

  beforeEach(() => {
    table = new ResultTable(new MemorySpools());
    views = new ResultViews(table);
  });

  afterEach(() => {
    table.dispose();
  });

  const column = (name: string): number => table.columns.findIndex((one) => one.name === name);

  async function createChart(
    rows: readonly Document[],
    question: (at: typeof column) => Partial<ChartQuestion> & Pick<ChartQuestion, 'y'>,
  ): Promise<DrawnChart> {
    await table.add(createBatch(rows));
    const whole = { view: {}, x: undefined, series: undefined, ...question(column) };
    return resultChart(table, views, whole, signal);
  }

  const lines = ({ series }: DrawnChart): unknown[] =>
    series.map(({ name, drawn }) => [name, Array.from(drawn.x), Array.from(drawn.y)]);

  it('draws numbers over time, one line for each value of a column', async () => {
    const at = (n: number): Date => new Date(1_000 * n);
    const rows = [
      { at: at(3), part: 'a', n: 30 },
      { at: at(1), part: 'b', n: 11 },
      { at: at(1), part: 'a', n: 10 },
      { at: at(2), part: 'a', n: null },
      { at: 'no time', part: 'a', n: 5 },
    ];
    const chart = await createChart(rows, (of) => ({
      x: of('at'),
      y: [of('n')],
      series: of('part'),
    }));
    assert.equal(chart.xKind, 'time');
    assert.deepEqual(lines(chart), [
      ['a', [1_000, 3_000], [10, 30]],
      ['b', [1_000], [11]],
    ]);
    const { points, least, greatest, mean, first, last } = chart.series[0] ?? assert.fail();
    assert.deepEqual([points, least, greatest, mean, first, last], [2, 10, 30, 20, 10, 30]);
  });

  it('draws several columns over the row number of the view', async () => {
    const rows = [
      { n: 1, m: 5 },
      { n: 3, m: 6 },
      { n: 2, m: Infinity },
    ];
    const chart = await createChart(rows, (of) => ({
      view: { sort: { column: of('n'), descending: true } },
      y: [of('n'), of('m')],
    }));
    assert.deepEqual(lines(chart), [
      ['n', [0, 1, 2], [3, 2, 1]],
      ['m', [0, 2], [6, 5]],
    ]);
  });

  it('labels texts in the order of the view', async () => {
    const rows = [
      { name: 'zinc', n: 1 },
      { name: 'iron', n: 2 },
      { name: 'zinc', n: 3 },
      { name: 'lead', n: 4 },
    ];
    const chart = await createChart(rows, (of) => ({ x: of('name'), y: [of('n')] }));
    assert.deepEqual([chart.xKind, chart.labels], ['text', ['zinc', 'iron', 'lead']]);
    assert.deepEqual(lines(chart), [['n', [0, 0, 1, 2], [1, 3, 2, 4]]]);
    const view = { sort: { column: column('n'), descending: true } };
    const turned = { view, x: column('name'), y: [column('n')], series: undefined };
    const { labels } = await resultChart(table, views, turned, signal);
    assert.deepEqual(labels, ['lead', 'zinc', 'iron']);
  });

  it('sums the numbers of a bar, and reports it only then', async () => {
    const rows = [
      { name: 'zinc', n: 1, kind: 'a' },
      { name: 'iron', n: 2, kind: 'a' },
      { name: 'zinc', n: -3, kind: 'a' },
      { name: 'zinc', n: 4, kind: 'b' },
    ];
    const chart = await createChart(rows, (of) => ({
      x: of('name'),
      y: [of('n')],
      series: of('kind'),
      addsUp: true,
    }));
    assert.deepEqual(lines(chart), [
      ['a', [0, 1], [-2, 2]],
      ['b', [0], [4]],
    ]);
    assert.deepEqual([chart.numbers, chart.addedUp, chart.series[0]?.points], [4, true, 2]);
    const alone = { view: {}, x: undefined, y: [column('n')], series: undefined, addsUp: true };
    const { addedUp, numbers } = await resultChart(table, views, alone, signal);
    assert.deepEqual([addedUp, numbers], [false, 4]);
  });

  it('draws sums beyond the largest number as the largest one', async () => {
    const rows = [1e308, 1e308, 1e308].map((n) => ({ name: 'all', n }));
    const chart = await createChart(rows, (of) => ({ x: of('name'), y: [of('n')], addsUp: true }));
    assert.deepEqual(lines(chart), [['n', [0], [Number.MAX_VALUE]]]);
  });

  it('draws only matching rows', async () => {
    const rows = ['a', 'b', 'a'].map((name, n) => ({ name, n }));
    const chart = await createChart(rows, (of) => ({ view: { find: 'A' }, y: [of('n')] }));
    assert.deepEqual(lines(chart), [['n', [0, 1], [0, 2]]]);
    assert.equal(chart.rows, 2);
  });

  it('omits lines with few points, and points that look the same', async () => {
    const rows = Array.from({ length: 12_000 }, (_, n) => ({
      n: n === 7_777 ? 1e6 : n % 5,
      kind: n < 30 ? `rare ${n}` : 'often',
    }));
    const chart = await createChart(rows, (of) => ({ y: [of('n')], series: of('kind') }));
    assert.deepEqual([chart.series.length, chart.leftOut, chart.thinned], [12, 19, true]);
    const [often] = chart.series;
    assert.deepEqual([often?.name, often?.points, often?.greatest], ['often', 11_970, 1e6]);
    assert.ok((often?.drawn.y.length ?? Infinity) <= 10_000 / 12);
    assert.ok(Array.from(often?.drawn.y ?? []).includes(1e6));
  });
});
