import assert from 'node:assert/strict';
import type { ProfiledColumn, ResultChart } from '../../src/shared/query/results';
import { type ChartChoice, drawnColumns, likelySeries } from '../../webview/results/chartChoice';

const column = (name: string, profile: Partial<ProfiledColumn>): ProfiledColumn => ({
  id: `id of ${name}`,
  name,
  numbers: 0,
  times: 0,
  texts: 0,
  ...profile,
});
const hour = column('hour', { times: 9 });
const component = column('component', { texts: 3 });
const readings = column('readings', { numbers: 9 });
const columns = [hour, component, readings];
const LINES: ChartChoice = { kind: 'line' };

/** Returns a chart of one line with points at the given positions. */
function lineAt(...xValues: readonly number[]): ResultChart {
  const x = new Float64Array(xValues).buffer;
  const figures = { points: xValues.length, least: 0, greatest: 0, mean: 0, first: 0, last: 0 };
  return {
    xKind: 'time',
    labels: [],
    series: [{ name: 'readings', ...figures, x, y: x }],
    leftOut: 0,
    thinned: false,
    rows: xValues.length,
    numbers: xValues.length,
    addedUp: false,
  };
}

/** Returns the column that splits a line. */
function likely(
  all: readonly ProfiledColumn[] = columns,
  { choice = LINES, chart = lineAt(1, 1, 2) } = {},
): string | undefined {
  return likelySeries(all, choice, { ...drawnColumns(all, choice), chart });
}

describe('the columns of a chart', () => {
  it('split lines by the only column with few texts if one line would go back and forth', () => {
    assert.equal(likely(), 'component');
    assert.equal(drawnColumns(columns, LINES, 'component').series, component);
  });

  it('are drawn as one line if its times increase', () => {
    assert.equal(likely(columns, { chart: lineAt(1, 2, 3) }), undefined);
    assert.equal(drawnColumns(columns, LINES).series, undefined);
  });

  it('are not split if several columns have few texts, or none has', () => {
    assert.equal(likely([...columns, column('part', { texts: 2 })]), undefined);
    assert.equal(likely([hour, column('note', { texts: 13 }), readings]), undefined);
    assert.equal(likely([hour, column('same', { texts: 1 }), readings]), undefined);
    assert.equal(likely([...columns, column('note', { texts: 13 })]), 'component');
  });

  it("are split by the user's choice, including none", () => {
    const noSeries = { ...LINES, series: '' };
    assert.equal(likely(columns, { choice: noSeries }), undefined);
    assert.equal(drawnColumns(columns, noSeries, 'component').series, undefined);
    assert.equal(likely(columns, { choice: { ...LINES, series: 'component' } }), undefined);
    assert.equal(
      likely(columns, { choice: { ...LINES, series: 'of another result' } }),
      'component',
    );
  });

  it('are not split for bars, which are summed, and for points', () => {
    assert.equal(likely(columns, { choice: { kind: 'scatter' } }), undefined);
    assert.equal(likely(columns, { choice: { kind: 'bar', x: 'hour' } }), undefined);
  });
});
