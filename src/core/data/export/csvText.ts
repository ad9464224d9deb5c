import { plainText } from '../tables/cellText';
import { DataColumns } from '../tables/dataColumns';
import type { DataValue } from '../tables/dataValue';
import { jsonText } from '../tables/jsonText';
import { type CsvCell, csvLine } from './csvLine';
import { guardFormula } from './formulaGuard';
import type { RecordLayout } from './recordLayout';

/**
 * Records as CSV as RFC 4180 has it, in UTF-8 without a byte order mark. Texts are in quotes; numbers,
 * `true`, `false` and `null` are not, and what a record does not have is nothing: so they stay told apart.
 * Objects and lists within a cell are JSON. Formulas are guarded against.
 */
export class CsvText<Record> {
  private readonly columns: DataColumns;
  private hasFurther = false;

  constructor(
    private readonly layout: RecordLayout<Record>,
    mostColumns?: number,
  ) {
    this.columns = new DataColumns(layout.root, mostColumns);
  }

  /** How many columns there are by now. */
  get width(): number {
    return this.layout.fixed.length + this.columns.list.length + Number(this.hasFurther);
  }

  /** The names of the columns there are by now, as a file's first line. */
  header(): string {
    const names = [...this.layout.fixed, ...this.columns.list.map(({ name }) => name)];
    if (this.hasFurther) names.push(this.layout.further);
    return csvLine(names.map(guardFormula));
  }

  /** The lines of records, each as long as there are columns afterwards. */
  lines(records: readonly Record[]): string {
    const rows = records.map((record) => this.row(record));
    const { width } = this;
    for (const row of rows) while (row.length < width) row.push(undefined);
    return rows.map(csvLine).join('');
  }

  private row(record: Record): CsvCell[] {
    const { fixed, fixedValues, data } = this.layout;
    const row = fixedValues(record).map(cellOf);
    const further = this.columns.read(data(record), (column, value) => {
      row[fixed.length + column] = cellOf(value);
    });
    if (further) {
      this.hasFurther = true;
      row[fixed.length + this.columns.list.length] = jsonText(Object.fromEntries(further));
    }
    return row;
  }
}

function cellOf(value: DataValue | undefined): CsvCell {
  if (typeof value === 'string') return guardFormula(value);
  return typeof value === 'object' && value !== null ? plainText(value) : value;
}
