import type { Buffer } from 'node:buffer';
import { formatPlainValue } from '../../../data/tables/formatCell';
import { type DataValue, isExactNumber, nearestNumber } from '../../../data/tables/dataValue';
import { BsonPath } from '../bson/bsonValue';
import type { ResultTable } from '../resultTable';
import { inSlices } from '../../../../base/slices';
import { stableOrder } from '../../../data/tables/sortKeys';
import type { Points } from '../../../data/tables/chartSeries';

/** Maximum number of series to collect, to limit memory use. Only the largest series are drawn. */
const MAX_COLLECTED = 2_000;
const MAX_NAME_LENGTH = 200;
const BETWEEN_NAMES = ' · ';

export type AxisKind = 'number' | 'time' | 'text';

/** Column indexes in a chart. */
export interface ChartColumns {
  /** Column for the horizontal axis; undefined to use the row's position in the view. */
  readonly x: number | undefined;
  readonly y: readonly number[];
  /** Column whose distinct values each form a series; undefined for a single series. */
  readonly series: number | undefined;
}

interface DrawnColumn {
  readonly name: string;
  readonly path: BsonPath;
}

/** Collects the points of rows, grouped by series. Skips values that are not finite numbers. */
export class RowPointCollector {
  readonly xKind: AxisKind;
  readonly labels = new ChartLabels();
  private readonly x: BsonPath | undefined;
  private readonly y: readonly DrawnColumn[];
  private readonly series: BsonPath | undefined;
  private readonly collected = new Map<string, ChartPoints>();
  private readonly skipped = new Set<string>();

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

  /** All collected series, sorted by descending number of points. */
  get all(): readonly ChartPoints[] {
    return [...this.collected.values()].sort((a, b) => b.count - a.count);
  }

  /** Number of series that were not collected because of the limit. */
  get notCollected(): number {
    return this.skipped.size;
  }

  /** Adds a row's points. @param position the row's position in the view */
  add(bytes: Buffer, start: number, position: number): void {
    const x = this.x ? this.toX(this.x.valueIn(bytes, start), position) : position;
    if (x === undefined) return;
    const prefix = this.series && formatLabel(this.series.valueIn(bytes, start));
    for (const { name, path } of this.y) {
      const y = toFiniteNumber(path.valueIn(bytes, start));
      if (y === undefined) continue;
      this.getPoints(this.seriesName(prefix, name))?.add(x, y);
    }
  }

  private toX(value: DataValue | undefined, position: number): number | undefined {
    if (value === undefined) return undefined;
    switch (this.xKind) {
      case 'text':
        return this.labels.getLabelNumber(formatLabel(value), position);
      case 'time':
        return value instanceof Date ? value.getTime() : undefined;
      case 'number':
        return toFiniteNumber(value);
    }
  }

  private seriesName(prefix: string | undefined, column: string): string {
    if (prefix === undefined) return column;
    return this.y.length > 1 ? prefix + BETWEEN_NAMES + column : prefix;
  }

  private getPoints(name: string): ChartPoints | undefined {
    const known = this.collected.get(name);
    if (known) return known;
    if (this.collected.size >= MAX_COLLECTED) {
      this.skipped.add(name);
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

function toFiniteNumber(value: DataValue | undefined): number | undefined {
  const number = isExactNumber(value) ? nearestNumber(value) : value;
  const near = typeof number === 'bigint' ? Number(number) : number;
  return typeof near === 'number' && Number.isFinite(near) ? near : undefined;
}

/** Formats a value as a label on an axis or in a legend. */
function formatLabel(value: DataValue | undefined): string {
  return value === undefined ? '' : formatPlainValue(value).slice(0, MAX_NAME_LENGTH);
}

/** Text labels on an axis. They are numbered in order of appearance and drawn in view order. */
class ChartLabels {
  private readonly numbers = new Map<string, number>();
  /** First position of each label in the view. */
  private readonly firstPositions: number[] = [];

  /** Returns a label's number. @param position position of the label's row in the view */
  getLabelNumber(text: string, position: number): number {
    const known = this.numbers.get(text);
    if (known === undefined) {
      this.numbers.set(text, this.firstPositions.length);
      return this.firstPositions.push(position) - 1;
    }
    this.firstPositions[known] = Math.min(this.firstPositions[known] ?? position, position);
    return known;
  }

  /**
   * Returns the labels in drawing order, and a function that maps a label's number to its position.
   */
  inOrder(): {
    readonly labels: readonly string[];
    readonly getPosition: (number: number) => number;
  } {
    const texts = [...this.numbers.keys()];
    const order = texts.map((_, number) => number);
    order.sort((a, b) => (this.firstPositions[a] ?? 0) - (this.firstPositions[b] ?? 0));
    const positions = new Uint32Array(order.length);
    order.forEach((number, position) => (positions[number] = position));
    return {
      labels: order.map((number) => texts[number] ?? ''),
      getPosition: (number) => positions[number] ?? 0,
    };
  }
}

/** Points in one line, bar group, or scatter series, in order of appearance. */
class ChartPoints {
  private readonly x: number[] = [];
  private readonly y: number[] = [];
  private isInOrder = true;

  constructor(readonly name: string) {}

  get count(): number {
    return this.x.length;
  }

  add(x: number, y: number): void {
    if (x < (this.x.at(-1) ?? -Infinity)) this.isInOrder = false;
    this.x.push(x);
    this.y.push(y);
  }

  /**
   * Returns all points in ascending order of `x`. @param getPosition maps a label's number to its
   * position; specified only if the values of `x` are labels
   */
  async inOrder(signal: AbortSignal, getPosition?: (x: number) => number): Promise<Points> {
    const x = getPosition ? this.x.map(getPosition) : this.x;
    if (this.isInOrder && !getPosition) return { x, y: this.y };
    const steps = stableOrder(x.length, (a, b) => (x[a] ?? 0) - (x[b] ?? 0));
    const order = await inSlices(steps, signal);
    return { x: inThatOrder(x, order), y: inThatOrder(this.y, order) };
  }
}

function inThatOrder(values: readonly number[], order: Uint32Array): Float64Array {
  const ordered = new Float64Array(order.length);
  for (let at = 0; at < order.length; at += 1) ordered[at] = values[order[at] ?? 0] ?? 0;
  return ordered;
}
