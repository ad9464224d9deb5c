import assert from 'node:assert/strict';
import type { RecordLayout } from '../../../../../../src/core/data/export/recordWriter';
import { recordWriter, writeRecords } from '../../../../../../src/core/data/export/writeRecords';
import {
  MAX_SHEET_ROWS,
  SheetLimitError,
  XlsxWriter,
} from '../../../../../../src/core/data/export/xlsx/xlsxWriter';
import type { DataObject } from '../../../../../../src/core/data/tables/dataValue';
import { MemoryExportFile } from '../../memoryExportFile';
import { readWorkbook } from '../../../query/export/readWorkbook';
import { englishWorkbook } from '../../../../../support/englishWorkbook';

const layout: RecordLayout<DataObject> = {
  fixed: ['id'],
  fixedValues: ({ id }) => [id],
  root: '',
  data: (record) => Object.fromEntries(Object.entries(record).filter(([name]) => name !== 'id')),
  overflowName: '(further)',
  json: () => new Uint8Array(),
};

async function exported(...batches: DataObject[][]): Promise<Record<string, string[][]>> {
  const file = new MemoryExportFile(1_000);
  const source = async function* (): AsyncGenerator<readonly DataObject[]> {
    await Promise.resolve();
    yield* batches;
  };
  const writer = recordWriter('xlsx', file, layout, englishWorkbook);
  await writeRecords(source(), writer, new AbortController().signal, () => undefined);
  return readWorkbook(file.bytes);
}

describe('XlsxWriter', () => {
  it('names columns that appear in later records, and leaves earlier cells empty', async () => {
    const { Rows, Columns } = await exported(
      [{ id: 1, a: 'x' }],
      [
        { id: 2, b: { c: true } },
        { id: 3, a: null },
      ],
    );
    assert.deepEqual(Rows, [
      ['id', 'a', 'b.c'],
      ['1', 'x'],
      ['2', '', 'true'],
      ['3', 'null'],
    ]);
    assert.deepEqual(Columns, [
      ['Column', 'Types', 'Truncated text values'],
      ['id', 'number', ''],
      ['a', 'text, null', ''],
      ['b.c', 'boolean', ''],
    ]);
  });

  it('preserves every character of texts, and writes no formulas', async () => {
    const texts = [
      ...[
        '=1+1',
        '+1',
        '-1',
        '@SUM(A1)',
        '＝1',
        '<b>&"\'</b>',
        ' a  b ',
        'a\nb\tc\r\nd',
        '\0\u001B',
      ],
      ...['_x0041_', '_x_', '\uD800', '😀', '\uFFFE', ']]>', ''],
    ];
    const file = new MemoryExportFile(1_000);
    const writer = new XlsxWriter(file, layout, englishWorkbook);
    await writer.write(texts.map((text, id) => ({ id, text })));
    assert.doesNotMatch(file.text, /<f>/);
    await writer.end(new AbortController().signal);
    const { Rows } = readWorkbook(file.bytes);
    assert.deepEqual(
      Rows?.slice(1).map((row) => row[1]),
      texts,
    );
  });

  it('writes numbers that Excel would round as texts', async () => {
    const numbers = [999_999_999_999_999, 1_000_000_000_000_001, 1e300, 0.1 + 0.2, Infinity, NaN];
    const integers = [-999_999_999_999_999n, 1_000_000_000_000_000n];
    const { Rows, Columns } = await exported([...numbers, ...integers].map((id) => ({ id })));
    assert.deepEqual(
      Rows?.slice(1).map(([text]) => text),
      [...numbers, ...integers].map(String),
    );
    assert.equal(Columns?.[1]?.[1], 'number, number (as text), integer, integer (as text)');
  });

  it('writes times that Excel does not support as texts', async () => {
    const times = [
      '1900-02-28T00:00:00.000Z',
      '1900-03-01T00:00:00.001Z',
      '9999-12-31T23:59:59.999Z',
    ];
    const { Rows } = await exported(times.map((time, id) => ({ id, time: new Date(time) })));
    assert.deepEqual(
      Rows?.slice(1).map((row) => row[1]),
      times,
    );
  });

  it('truncates texts that are too long for a cell, and counts them', async () => {
    const { Rows, Columns } = await exported([{ id: 'x'.repeat(40_000) }, { id: 'short' }]);
    const cut = Rows?.[1]?.[0] ?? '';
    assert.equal(cut.length, 32_767);
    assert.match(cut, /x… \(40000 characters\)$/);
    assert.deepEqual(Columns?.[1], ['id', 'text', '1']);
  });

  it("names sheets and types in the user's language, within Excel's rules", async () => {
    const names = {
      rows: "'Lines: [a/b]?*'",
      columns: 'Fields & <Kinds> '.repeat(9),
      column: 'Field',
      types: 'Kinds',
      truncatedTexts: 'Cut',
    };
    const file = new MemoryExportFile(1_000);
    const typeNames = { ...englishWorkbook.typeNames, number: 'figure' };
    const writer = new XlsxWriter(file, layout, { ...englishWorkbook, ...names, typeNames });
    await writer.write([{ id: 1 }]);
    await writer.end(new AbortController().signal);
    assert.deepEqual(readWorkbook(file.bytes), {
      'Lines   a b': [['id'], ['1']],
      'Fields &amp; &lt;Kinds&gt; Fields &amp; &lt;Kind': [
        ['Field', 'Kinds', 'Cut'],
        ['id', 'figure', ''],
      ],
    });
  });

  it('gives its sheets different names if a language has one word for both', async () => {
    const file = new MemoryExportFile(1_000);
    const same = { ...englishWorkbook, rows: 'Data', columns: 'data' };
    await new XlsxWriter(file, layout, same).end(new AbortController().signal);
    assert.deepEqual(Object.keys(readWorkbook(file.bytes)), ['2', 'Data']);
  });

  it('rejects more rows than a sheet can have', async () => {
    const writer = new XlsxWriter(new MemoryExportFile(), layout, englishWorkbook);
    const tooMany = Array.from({ length: MAX_SHEET_ROWS + 1 }, () => ({}));
    await assert.rejects(writer.write(tooMany), (error) => {
      assert.ok(error instanceof SheetLimitError);
      assert.equal(error.limit, 'rows');
      return true;
    });
  });

  it('stops when it is canceled while the workbook is written', async () => {
    const writer = new XlsxWriter(new MemoryExportFile(), layout, englishWorkbook);
    await writer.write([{ id: 1 }]);
    const canceled = AbortSignal.abort(new Error('canceled'));
    await assert.rejects(writer.end(canceled), /canceled/);
  });
});
