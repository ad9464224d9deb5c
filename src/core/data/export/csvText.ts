import type { JsonValue } from '@bufbuild/protobuf';
import { type Options, stringify } from 'csv-stringify/sync';
import { isoMicros } from '../../model/micros';
import type { Reading } from '../../model/reading';
import { jsonText } from '../readings/cellText';
import { DataColumns } from '../readings/dataColumns';
import { FIXED_COLUMNS } from '../readings/tableColumn';
import { guardFormula } from './formulaGuard';

/** The last column, for what has none of its own because there are too many: one JSON object. */
const FURTHER_COLUMN = 'data (further)';

const OPTIONS: Options = {
  quoted_string: true,
  record_delimiter: 'windows',
  cast: { boolean: String, null: String },
};

type Cell = string | number | boolean | null | undefined;

/**
 * Readings as CSV as RFC 4180 has it, in UTF-8 without a byte order mark. Texts are in quotes; numbers,
 * `true`, `false` and `null` are not, and what a reading does not have is nothing: so they stay told apart.
 * Objects and lists within a cell are JSON. Formulas are guarded against.
 */
export class CsvText {
  private readonly columns: DataColumns;
  private hasFurther = false;

  constructor(mostColumns?: number) {
    this.columns = new DataColumns(mostColumns);
  }

  /** How many columns there are by now. */
  get width(): number {
    return FIXED_COLUMNS.length + this.columns.list.length + Number(this.hasFurther);
  }

  /** The names of the columns there are by now, as a file's first line. */
  header(): string {
    const names: string[] = [...FIXED_COLUMNS, ...this.columns.list.map(({ name }) => name)];
    if (this.hasFurther) names.push(FURTHER_COLUMN);
    return stringify([names.map(guardFormula)], OPTIONS);
  }

  /** The lines of readings, each as long as there are columns afterwards. */
  lines(readings: readonly Reading[]): string {
    const rows = readings.map((reading) => this.row(reading));
    const { width } = this;
    for (const row of rows) while (row.length < width) row.push(undefined);
    return stringify(rows, OPTIONS);
  }

  private row({ at, source, tags, data }: Reading): Cell[] {
    const row: Cell[] = [
      isoMicros(at),
      guardFormula(source.machineName),
      guardFormula(source.partName),
      guardFormula(source.componentName),
      guardFormula(source.method),
      tags.length === 0 ? undefined : JSON.stringify(tags),
    ];
    const further = this.columns.read(data, (column, value) => {
      row[FIXED_COLUMNS.length + column] = cellOf(value);
    });
    if (further) {
      this.hasFurther = true;
      row[FIXED_COLUMNS.length + this.columns.list.length] = JSON.stringify(
        Object.fromEntries(further),
      );
    }
    return row;
  }
}

function cellOf(value: JsonValue): Cell {
  if (typeof value === 'string') return guardFormula(value);
  return typeof value === 'object' && value !== null ? jsonText(value) : value;
}
