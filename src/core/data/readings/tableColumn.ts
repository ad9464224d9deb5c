import { isoMicros } from '../../model/micros';
import type { Reading } from '../../model/reading';
import { type DataColumn, valueAt } from '../tables/dataColumns';
import type { CopiedColumn } from '../tables/copyRows';
import type { DataValue } from '../tables/dataValue';

/** What is known of every reading, before the columns of its payload. */
export const FIXED_COLUMNS = ['time', 'machine', 'part', 'component', 'method', 'tags'] as const;
export type FixedColumn = (typeof FIXED_COLUMNS)[number];

/** What the names of columns of payloads begin with. */
export const PAYLOAD_ROOT = 'data';

/** A column of the table: one that every reading has, or one of what is within payloads. */
export type TableColumn = FixedColumn | DataColumn;

/** What a reading has in a column; undefined when it has nothing there. */
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

/** A column with its name for the clipboard, which is no word of a language. */
export function copiedColumn(column: TableColumn): CopiedColumn<Reading> {
  return {
    name: typeof column === 'string' ? column : column.name,
    valueIn: (reading) => valueIn(reading, column),
  };
}
