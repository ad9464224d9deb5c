import { formatPlainValue } from '../tables/formatCell';
import { DataColumns } from '../tables/dataColumns';
import type { DataValue } from '../tables/dataValue';
import { formatJson } from '../tables/formatJson';
import { type CsvCell, csvLine } from './csvLine';
import { guardFormula } from './formulaGuard';
import type { RecordLayout } from './recordLayout';

/**
 * Formats records as CSV according to RFC 4180, in UTF-8 without a byte order mark. Quotes texts,
 * but not numbers, `true`, `false`, and `null`, and leaves missing values empty, so that all of
 * them can be distinguished. Formats objects and lists in a cell as JSON. Neutralizes formulas.
 */
export class CsvSerializer<Record> {
  private readonly columns: DataColumns;
  private hasOverflow = false;

  constructor(
    private readonly layout: RecordLayout<Record>,
    mostColumns?: number,
  ) {
    this.columns = new DataColumns(layout.root, mostColumns);
  }

  /** Current number of columns. */
  get width(): number {
    return this.layout.fixed.length + this.columns.list.length + Number(this.hasOverflow);
  }

  /** Returns the names of the current columns as the first line of a file. */
  header(): string {
    const names = [...this.layout.fixed, ...this.columns.list.map(({ name }) => name)];
    if (this.hasOverflow) names.push(this.layout.overflowName);
    return csvLine(names.map(guardFormula));
  }

  /** Returns the lines for records, each with a cell for every column. */
  lines(records: readonly Record[]): string {
    const rows = records.map((record) => this.row(record));
    const { width } = this;
    for (const row of rows) while (row.length < width) row.push(undefined);
    return rows.map(csvLine).join('');
  }

  private row(record: Record): CsvCell[] {
    const { fixed, fixedValues, data } = this.layout;
    const row = fixedValues(record).map(toCsvCell);
    const overflow = this.columns.read(data(record), (column, value) => {
      row[fixed.length + column] = toCsvCell(value);
    });
    if (overflow) {
      this.hasOverflow = true;
      row[fixed.length + this.columns.list.length] = formatJson(Object.fromEntries(overflow));
    }
    return row;
  }
}

function toCsvCell(value: DataValue | undefined): CsvCell {
  if (typeof value === 'string') return guardFormula(value);
  return typeof value === 'object' && value !== null ? formatPlainValue(value) : value;
}
