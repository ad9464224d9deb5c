import { isoMicros } from '../../model/micros';
import type { Reading } from '../../model/reading';
import { type DataColumn, valueAt } from '../tables/dataColumns';
import type { CopiedColumn } from '../tables/copyRows';
import type { DataValue } from '../tables/dataValue';

/** Columns that every reading has. They precede the payload columns. */
export const FIXED_COLUMNS = ['time', 'machine', 'part', 'component', 'method', 'tags'] as const;
export type FixedColumn = (typeof FIXED_COLUMNS)[number];

/** Prefix of the names of payload columns. */
export const PAYLOAD_ROOT = 'data';

/** Column of the table: either a fixed column, which every reading has, or a payload column. */
export type TableColumn = FixedColumn | DataColumn;

/** Returns the value of a reading in a column; undefined if the reading has no such value. */
export function valueIn(reading: Reading, column: TableColumn): DataValue | undefined {
  if (typeof column !== 'string') return valueAt(reading.data, column.path);
  const { source, tags, at } = reading;
  switch (column) {
    case 'time':
      return isoMicros(at);
    case 'machine':
      return source.machineName;
    case 'part':
      return source.partName;
    case 'component':
      return source.componentName;
    case 'method':
      return source.method;
    case 'tags':
      return tags.length === 0 ? undefined : [...tags];
  }
}

/** Returns a column with its name for the clipboard, which is not localized. */
export function copiedColumn(column: TableColumn): CopiedColumn<Reading> {
  return {
    name: typeof column === 'string' ? column : column.name,
    valueIn: (reading) => valueIn(reading, column),
  };
}
