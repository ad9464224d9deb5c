import { Binary, Decimal128, Long } from 'bson';
import assert from 'node:assert/strict';
import { BsonPath } from '../../../../../src/core/query/results/bson/bsonValue';
import { ResultTable } from '../../../../../src/core/query/results/resultTable';
import { ResultViews, type RowsView } from '../../../../../src/core/query/results/resultViews';
import { createBatch, MemorySpools } from './rows';

const { signal } = new AbortController();

/** Returns a time in microseconds in the format used in the stream of rows. */
function micros(value: number): Binary {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64LE(BigInt(value));
  return new Binary(bytes, 128);
}

describe('the rows of a result', () => {
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

  async function ids(view: RowsView): Promise<unknown[]> {
    const rowIndexes = await views.toRowIndexes(view, 0, Infinity, signal);
    const chunks = await table.store.rowsAt(rowIndexes);
    const id = new BsonPath(['id']);
    return chunks.flatMap(({ bytes, starts }) => starts.map((at) => id.valueIn(bytes, at)));
  }

  it('have columns in order of first appearance, nested ones by their path', async () => {
    await table.add(createBatch([{ a: 1, b: { c: 'x', d: [] } }]));
    await table.add(createBatch([{ z: null, b: { e: true }, 'a.b': 2 }]));
    assert.deepEqual(
      table.columns.map(({ name }) => name),
      ['a', 'b.c', 'b.d', 'z', 'b.e', '["a.b"]'],
    );
    assert.deepEqual(
      [0, 1, 2].map((index) => table.profile(index).numbers),
      [1, 0, 0],
    );
  });

  it('are in original order, or sorted with missing values last', async () => {
    const values = [3, 'arm-10', undefined, Long.fromString('9007199254740993'), 'arm-2', -1, null];
    const rows = values.map((v, id) => ({ id, ...(v !== undefined && { v }) }));
    await table.add(createBatch([...rows, { id: 7, v: new Date(5) }, { id: 8, v: new Date(3) }]));
    const v = column('v');
    assert.deepEqual(await ids({}), [0, 1, 2, 3, 4, 5, 6, 7, 8]);
    assert.deepEqual(
      await ids({ sort: { column: v, descending: false } }),
      [5, 0, 3, 8, 7, 4, 1, 6, 2],
    );
    assert.deepEqual(
      await ids({ sort: { column: v, descending: true } }),
      [1, 4, 7, 8, 3, 0, 5, 6, 2],
    );
  });

  it('are sorted by all digits of numbers and by the microseconds of times', async () => {
    const digits = [
      ...['123456789012345678901234567891', '1.10', '123456789012345678901234567890'],
      ...['1.1000000000000000000000000000001', '1.09', '123456789012345678901234567890.5'],
    ];
    const rows = digits.map((text, id) => ({
      id,
      v: Decimal128.fromString(text),
      t: micros(9 - id),
    }));
    const big = Long.fromString('9007199254740993');
    await table.add(createBatch([...rows, { id: 6, v: big }, { id: 7, v: 2 ** 53 }]));
    const order = [4, 1, 3, 7, 6, 2, 5, 0];
    const sort = { column: column('v'), descending: false };
    assert.deepEqual(await ids({ sort }), order);
    assert.deepEqual(await ids({ sort: { ...sort, descending: true } }), order.toReversed());
    const byTime = { column: column('t'), descending: false };
    assert.deepEqual((await ids({ sort: byTime })).slice(0, 6), [5, 4, 3, 2, 1, 0]);
    const text = '1970-01-01T00:00:00.000007Z';
    const filters = [{ column: column('t'), condition: 'equals', value: text }] as const;
    assert.deepEqual(await ids({ filters }), [2]);
    const after = [{ column: column('t'), condition: 'greater', value: text }] as const;
    assert.deepEqual(await ids({ filters: after }), [0, 1]);
  });

  it('are found by the content of any cell, ignoring case', async () => {
    await table.add(
      createBatch([
        { id: 1, name: 'Mast' },
        { id: 2, deep: { list: ['the mAST'] } },
        { id: 3, n: 21.5, at: new Date('2026-11-21T12:00:00Z') },
        { id: 4, d: Decimal128.fromString('1.10') },
      ]),
    );
    assert.deepEqual(await ids({ find: 'mast' }), [1, 2]);
    assert.deepEqual(await ids({ find: '21.5' }), [3]);
    assert.deepEqual(await ids({ find: '2026-11-21t12' }), [3]);
    assert.deepEqual(await ids({ find: '1.10' }), [4]);
    assert.deepEqual(await ids({ find: 'name' }), []);
    const sort = { column: column('id'), descending: true };
    assert.deepEqual(await ids({ find: 'mast', sort }), [2, 1]);
  });

  it('are sorted again when more arrive, and remain unchanged until then', async () => {
    await table.add(createBatch([{ id: 2 }, { id: 1 }]));
    const view: RowsView = { sort: { column: 0, descending: false } };
    assert.deepEqual(await views.arrange(view, signal), { rows: 2, among: 2 });
    await table.add(createBatch([{ id: 0 }]));
    assert.deepEqual(await ids(view), [1, 2]);
    assert.deepEqual(await views.arrange(view, signal), { rows: 3, among: 3 });
    assert.deepEqual(await ids(view), [0, 1, 2]);
  });

  it('are not sorted after cancellation', async () => {
    await table.add(createBatch([{ id: 2 }]));
    const view: RowsView = { find: 'x' };
    await assert.rejects(views.arrange(view, AbortSignal.abort()), { name: 'AbortError' });
  });
});
