import { Decimal128, type Document, Long } from 'bson';
import assert from 'node:assert/strict';
import { MAX_COLUMN_DEPTH } from '../../../../../src/core/data/tables/dataColumns';
import { type DataValue, exactNumber } from '../../../../../src/core/data/tables/dataValue';
import { cellTest, type FilterCondition } from '../../../../../src/core/query/results/cellTest';
import { ResultTable } from '../../../../../src/core/query/results/resultTable';
import { ResultViews, type RowsView } from '../../../../../src/core/query/results/resultViews';
import { createBatch, MemorySpools } from './rows';

const NOON = new Date('2026-11-21T12:00:00Z');
const BEYOND_DOUBLES = 9_007_199_254_740_993n;

const values: Readonly<Record<string, DataValue | undefined>> = {
  none: undefined,
  null: null,
  emptyText: '',
  text: 'Arm-10',
  arm2: 'arm-2',
  digits: '25',
  twenty: 20,
  thirty: 30.5,
  nan: NaN,
  large: BEYOND_DOUBLES,
  decimal: exactNumber('1.10'),
  noon: NOON,
  yes: true,
  list: [1, 'Mast'],
};

/** Returns the names of the values that meet a condition. */
function through(condition: FilterCondition, value = '', upTo?: string): readonly string[] {
  const test = cellTest({ condition, value, upTo });
  return Object.keys(values).filter((name) => test(values[name]));
}

describe('column filters', () => {
  it('match a substring in any kind of value, ignoring case', () => {
    assert.deepEqual(through('contains', 'ARM'), ['text', 'arm2']);
    assert.deepEqual(through('contains', 'mast'), ['list']);
    assert.deepEqual(through('contains', '2026-11-21T12'), ['noon']);
    assert.deepEqual(through('containsNot', 'a'), [
      ...[
        'none',
        'null',
        'emptyText',
        'digits',
        'twenty',
        'thirty',
        'large',
        'decimal',
        'noon',
        'yes',
      ],
    ]);
  });

  it('match equal values: numbers by value, times in any format', () => {
    assert.deepEqual(through('equals', 'arm-10'), ['text']);
    assert.deepEqual(through('equals', '+20.0'), ['twenty']);
    assert.deepEqual(through('equals', '1.1'), ['decimal']);
    assert.deepEqual(through('equals', String(BEYOND_DOUBLES)), ['large']);
    assert.deepEqual(through('equals', String(BEYOND_DOUBLES - 1n)), []);
    assert.deepEqual(through('equals', '2026-11-21 14:00+02:00'), ['noon']);
    assert.deepEqual(through('equals', 'TRUE'), ['yes']);
    assert.deepEqual(through('equals', 'NaN'), ['nan']);
    assert.equal(through('equalsNot', '20').length, Object.keys(values).length - 1);
  });

  it('distinguish whole decimals that are the same double', () => {
    const [less, own] = [BEYOND_DOUBLES - 1n, BEYOND_DOUBLES].map(String);
    const isMet = (condition: FilterCondition, value = ''): boolean =>
      cellTest({ condition, value })(exactNumber(String(BEYOND_DOUBLES)));
    assert.deepEqual([isMet('equals', own), isMet('equals', less)], [true, false]);
    assert.deepEqual([isMet('greater', less), isMet('greater', own)], [true, false]);
  });

  it('compare numbers only with numbers', () => {
    assert.deepEqual(through('greater', '20'), ['thirty', 'large']);
    assert.deepEqual(through('atLeast', '20'), ['twenty', 'thirty', 'large']);
    assert.deepEqual(through('less', '30.5'), ['twenty', 'decimal']);
    assert.deepEqual(through('atMost', '30.5'), ['twenty', 'thirty', 'decimal']);
    assert.deepEqual(through('between', '1', '20'), ['twenty', 'decimal']);
    assert.deepEqual(through('between', '20', '1'), []);
  });

  it('compare times in UTC, and texts in sort order', () => {
    assert.deepEqual(through('greater', '2026-11-20'), ['noon']);
    assert.deepEqual(through('atMost', '2026-11-21T12:00'), ['noon']);
    assert.deepEqual(through('less', '2026-11-21T13:00+02:00'), []);
    assert.deepEqual(through('greater', 'arm-2'), ['text']);
    assert.deepEqual(through('between', 'Arm-2', 'arm-9'), ['arm2']);
  });

  it('match times within a written day, month, or minute', () => {
    for (const span of [
      '2026',
      '2026-11',
      '2026-11-21',
      '2026-11-21 12:00',
      '2026-11-21T12:00:00',
    ]) {
      assert.deepEqual(through('equals', span), ['noon'], span);
      assert.deepEqual(through('between', span, span), ['noon'], span);
      for (const [condition, isMet] of [
        ...([
          ['atLeast', true],
          ['atMost', true],
        ] as const),
        ...([
          ['greater', false],
          ['less', false],
        ] as const),
      ] as const) {
        assert.equal(through(condition, span).includes('noon'), isMet, `${condition} ${span}`);
      }
    }
    assert.deepEqual(through('atMost', '2026-11-20'), []);
    assert.deepEqual(through('equals', '2026-11-21T12:00:00.001'), []);
    // Noon in UTC is the next day in that time zone.
    assert.deepEqual(through('between', '2026-11-22 00:00+12:00', '2026-11-22 00:00+12:00'), [
      'noon',
    ]);
  });

  it('reject a day that does not exist', () => {
    for (const day of [
      '2026-02-30',
      '2026-13-01',
      '2026-11-31',
      '2026-11-21T25:00',
      '2026-11-21 12:60',
    ]) {
      assert.deepEqual(through('equals', day), [], day);
      assert.ok(!through('atMost', day).includes('noon'), day);
      assert.ok(!through('atLeast', day).includes('noon'), day);
    }
    assert.deepEqual(
      through('less', '2028-02-29').filter((name) => name === 'noon'),
      ['noon'],
    );
  });

  it('match empty and nonempty cells', () => {
    assert.deepEqual(through('empty'), ['none', 'null', 'emptyText']);
    assert.equal(through('notEmpty').length, Object.keys(values).length - 3);
  });
});

describe('filtered rows', () => {
  let table: ResultTable;
  let views: ResultViews;
  const { signal } = new AbortController();

  beforeEach(async () => {
    table = new ResultTable(new MemorySpools());
    views = new ResultViews(table);
    const rows = Array.from({ length: 10 }, (_, id) => ({
      id,
      data: { celsius: id / 2, note: id % 2 === 0 ? 'even' : 'odd' },
      ...(id > 6 && { late: Long.fromNumber(id), exact: Decimal128.fromString(`${id}.5`) }),
    }));
    await table.add(createBatch(rows));
  });

  afterEach(() => {
    table.dispose();
  });

  const column = (name: string): number => table.columns.findIndex((one) => one.name === name);
  const findRowIndexes = async (view: RowsView): Promise<readonly number[]> => [
    ...(await views.toRowIndexes(view, 0, Infinity, signal)),
  ];

  it('match all filters, in the order of the view', async () => {
    const filters = [
      { column: column('data.celsius'), condition: 'atLeast', value: '1' },
      { column: column('data.note'), condition: 'equals', value: 'EVEN' },
    ] as const;
    assert.deepEqual(await findRowIndexes({ filters }), [2, 4, 6, 8]);
    const sort = { column: column('id'), descending: true };
    assert.deepEqual(await findRowIndexes({ filters, sort }), [8, 6, 4, 2]);
    assert.deepEqual(await findRowIndexes({ filters, find: '3' }), [6]);
    assert.deepEqual(await views.arrange({ filters }, signal), { rows: 4, among: 10 });
  });

  it('can have an object in a column, at any depth of columns', async () => {
    const names = Array.from({ length: MAX_COLUMN_DEPTH }, () => 'in');
    const row = names.reduce<Document>((below) => ({ in: below }), { deepest: 'Mast' });
    await table.add(createBatch([row]));
    const filter = { column: column(names.join('.')), value: 'mast' };
    assert.deepEqual(
      await findRowIndexes({ filters: [{ ...filter, condition: 'contains' }] }),
      [10],
    );
    const empty = await findRowIndexes({ filters: [{ ...filter, condition: 'empty' }] });
    assert.ok(!empty.includes(10));
  });

  it('can have an empty cell in a column of others', async () => {
    const late = column('late');
    assert.deepEqual(
      await findRowIndexes({ filters: [{ column: late, condition: 'notEmpty', value: '' }] }),
      [...[7, 8, 9]],
    );
    const exact = { column: column('exact'), condition: 'greater', value: '8.5' } as const;
    assert.deepEqual(await findRowIndexes({ filters: [exact] }), [9]);
  });
});
