import type { Buffer } from 'node:buffer';
import { plainText } from '../../../data/tables/cellText';
import { type DataValue, isExactNumber, nearestNumber } from '../../../data/tables/dataValue';
import { BsonPath } from '../bson/bsonPath';
import type { ResultTable } from '../resultTable';
import { ChartLabels } from './chartLabels';
import { ChartPoints } from './chartPoints';

/**
 * Maximum number of series that are collected to find those with the most points, to limit memory.
 */
const MOST_COLLECTED = 2_000;
const LONGEST_NAME = 200;
const BETWEEN_NAMES = ' · ';

export type AxisKind = 'number' | 'time' | 'text';

/** Indexes of the columns to draw. */
export interface ChartColumns {
  /** If absent, the position of the row in the view. */
  readonly x: number | undefined;
  readonly y: readonly number[];
  /** Column with one series for each of its values. */
  readonly series: number | undefined;
}

interface DrawnColumn {
  readonly name: string;
  readonly path: BsonPath;
}

/** Collects the points of rows by series. Skips values that are not finite numbers. */
export class PointsOfRows {
  readonly xKind: AxisKind;
  readonly labels = new ChartLabels();
  private readonly x: BsonPath | undefined;
  private readonly y: readonly DrawnColumn[];
  private readonly series: BsonPath | undefined;
  private readonly collected = new Map<string, ChartPoints>();
  private readonly refused = new Set<string>();

  constructor(table: ResultTable, columns: ChartColumns) {
    const drawn = (index: number): DrawnColumn => {
      const { name = '', path = [] } = table.columns[index] ?? {};
      return { name, path: new BsonPath(path) };
    };
    this.xKind = columns.x === undefined ? 'number' : axisKind(table, columns.x);
    this.x = columns.x === undefined ? undefined : drawn(columns.x).path;
    this.y = columns.y.map(drawn);
    this.series = columns.series === undefined ? undefined : drawn(columns.series).path;
  }

  /** Series with the most points first. */
  get all(): readonly ChartPoints[] {
    return [...this.collected.values()].sort((a, b) => b.count - a.count);
  }

  /** Number of series that were not collected because of the limit. */
  get notCollected(): number {
    return this.refused.size;
  }

  /** Adds the points of a row. @param place position of the row in the view */
  add(bytes: Buffer, start: number, place: number): void {
    const x = this.x ? this.xOf(this.x.valueIn(bytes, start), place) : place;
    if (x === undefined) return;
    const prefix = this.series && nameOf(this.series.valueIn(bytes, start));
    for (const { name, path } of this.y) {
      const y = numberOf(path.valueIn(bytes, start));
      if (y === undefined) continue;
      this.pointsOf(this.seriesName(prefix, name))?.add(x, y);
    }
  }

  private xOf(value: DataValue | undefined, place: number): number | undefined {
    if (value === undefined) return undefined;
    switch (this.xKind) {
      case 'text':
        return this.labels.numberOf(nameOf(value), place);
      case 'time':
        return value instanceof Date ? value.getTime() : undefined;
      case 'number':
        return numberOf(value);
    }
  }

  private seriesName(prefix: string | undefined, column: string): string {
    if (prefix === undefined) return column;
    return this.y.length > 1 ? prefix + BETWEEN_NAMES + column : prefix;
  }

  private pointsOf(name: string): ChartPoints | undefined {
    const known = this.collected.get(name);
    if (known) return known;
    if (this.collected.size >= MOST_COLLECTED) {
      this.refused.add(name);
      return undefined;
    }
    const made = new ChartPoints(name);
    this.collected.set(name, made);
    return made;
  }
}

function axisKind(table: ResultTable, column: number): AxisKind {
  const { numbers, times } = table.profile(column);
  if (times > 0 && times >= numbers) return 'time';
  return numbers > 0 ? 'number' : 'text';
}

function numberOf(value: DataValue | undefined): number | undefined {
  const number = isExactNumber(value) ? nearestNumber(value) : value;
  const near = typeof number === 'bigint' ? Number(number) : number;
  return typeof near === 'number' && Number.isFinite(near) ? near : undefined;
}

/** Returns the label of a value on an axis or in a legend. */
function nameOf(value: DataValue | undefined): string {
  return value === undefined ? '' : plainText(value).slice(0, LONGEST_NAME);
}
