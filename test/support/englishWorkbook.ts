import type { WorkbookStrings } from '../../src/core/data/export/xlsx/sheetCell';

/** The strings of a workbook in English. */
export const englishWorkbook: WorkbookStrings = {
  rows: 'Rows',
  columns: 'Columns',
  column: 'Column',
  types: 'Types',
  truncatedTexts: 'Truncated text values',
  truncated: '… ({0} characters)',
  typeNames: {
    text: 'text',
    boolean: 'boolean',
    number: 'number',
    integer: 'integer',
    time: 'timestamp in UTC',
    date: 'date',
    json: 'json',
    binary: 'binary',
    null: 'null',
    numberAsText: 'number (as text)',
    integerAsText: 'integer (as text)',
    decimalAsText: 'decimal (as text)',
    timeAsText: 'timestamp in UTC (as text)',
    dateAsText: 'date (as text)',
  },
};
