import { cellText, kindOf, type ValueWords } from '../../../../core/data/tables/cellText';
import type { DataColumns } from '../../../../core/data/tables/dataColumns';
import type { ReadingsListing } from '../../../../core/data/readings/readingsListing';
import { FIXED_COLUMNS, valueIn } from '../../../../core/data/readings/tableColumn';
import { displayText } from '../../../../core/model/displayText';
import { MICROS_PER_MILLISECOND } from '../../../../core/model/micros';
import type { Reading } from '../../../../core/model/reading';
import type { ReadingProgress, ReadingRow } from '../../../../shared/data/readings';
import type { ValueCell, ValueColumn } from '../../../../shared/tables';

/** Converts a reading to a row of the table. */
export function readingRow(reading: Reading, columns: DataColumns, words: ValueWords): ReadingRow {
  const cells: ValueCell[] = [];
  for (const column of FIXED_COLUMNS) {
    const value = column === 'time' ? undefined : valueIn(reading, column);
    if (value === undefined) continue;
    const text = column === 'tags' ? reading.tags.join(', ') : value;
    cells.push({ column, kind: 'text', text: cellText(text, words) });
  }
  columns.read(reading.data, (column, value) => {
    cells.push({ column: columnId(column), kind: kindOf(value), text: cellText(value, words) });
  });
  return { at: reading.at / MICROS_PER_MILLISECOND, cells };
}

/** Returns the payload columns from an index on. */
export function columnsFrom({ list }: DataColumns, start: number): readonly ValueColumn[] {
  return list.slice(start).map((column, index) => ({
    id: columnId(start + index),
    name: displayText(column.name),
  }));
}

export function columnId(index: number): string {
  return `d${index}`;
}

export function progressOf(listing: ReadingsListing): ReadingProgress {
  const { read, count = 0, isFull, hasFurtherValues } = listing;
  return {
    read: read.length,
    count: Math.max(count, read.length),
    full: isFull,
    further: hasFurtherValues,
  };
}
