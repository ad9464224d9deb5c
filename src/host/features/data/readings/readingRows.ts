import { formatCell, getCellKind, type ValueLabels } from '../../../../core/data/tables/formatCell';
import type { DataColumns } from '../../../../core/data/tables/dataColumns';
import type { ReadingsListing } from '../../../../core/data/readings/readingsListing';
import { FIXED_COLUMNS, valueIn } from '../../../../core/data/readings/tableColumn';
import { toDisplayText } from '../../../../core/model/toDisplayText';
import { MICROS_PER_MILLISECOND } from '../../../../core/model/micros';
import type { Reading } from '../../../../core/model/reading';
import type { ReadingProgress, ReadingRow } from '../../../../shared/data/readings';
import type { ValueCell, ValueColumn } from '../../../../shared/tables';

/** Converts a reading to a row of the table. */
export function readingRow(
  reading: Reading,
  columns: DataColumns,
  labels: ValueLabels,
): ReadingRow {
  const cells: ValueCell[] = [];
  for (const column of FIXED_COLUMNS) {
    const value = column === 'time' ? undefined : valueIn(reading, column);
    if (value === undefined) continue;
    const text = column === 'tags' ? reading.tags.join(', ') : value;
    cells.push({ column, kind: 'text', text: formatCell(text, labels) });
  }
  columns.read(reading.data, (column, value) => {
    cells.push({
      column: columnId(column),
      kind: getCellKind(value),
      text: formatCell(value, labels),
    });
  });
  return { at: reading.at / MICROS_PER_MILLISECOND, cells };
}

/** Returns the payload columns starting at an index. */
export function columnsFrom({ list }: DataColumns, start: number): readonly ValueColumn[] {
  return list.slice(start).map((column, index) => ({
    id: columnId(start + index),
    name: toDisplayText(column.name),
  }));
}

export function columnId(index: number): string {
  return `d${index}`;
}

export function toProgress(listing: ReadingsListing): ReadingProgress {
  const { read, count = 0, isFull, hasOverflowValues: hasFurtherValues } = listing;
  return {
    read: read.length,
    count: Math.max(count, read.length),
    full: isFull,
    hasOverflow: hasFurtherValues,
  };
}
