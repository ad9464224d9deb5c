import { exhausted } from '../../jobError';
import { addTime, isMonths, isTimeUnit, LENGTHS, MONTHS, type TimeUnit } from '../dateArithmetic';
import { stageError, type RunStage, type Stage } from '../stage';
import { compareValues } from '../compareValues';
import {
  collect,
  type Document,
  isNullish,
  parseFieldPath,
  valueAt,
  withValueAt,
} from '../document';
import { partition, type Partition, partitionPaths } from './sortStage';
import { sortDocuments } from '../sortKeys';
import { afterAll, checked, parseOptions, requireDocument } from './stageCompiler';

/** Maximum number of new documents, which is MongoDB's limit. */
const MAX_NEW = 500_000;
const MIN_MONTH_MS = 28 * LENGTHS.day;

type Point = number | Date;

interface Grid {
  path: readonly string[];
  partitionBy: readonly (readonly string[])[];
  /** Returns the point that is a number of steps after another point. */
  after(start: Point, steps: number): Point;
  /**
   * Length of a step in milliseconds for dates. For steps of months, this is the minimum length.
   */
  stepLength: number;
  bounds: 'full' | 'partition' | readonly [Point, Point];
  isPoint(value: unknown): value is Point;
}

/** `$densify`: adds documents for missing steps in a sequence. */
export function densifyStage(stage: Stage): RunStage {
  const grid = parseGrid(stage);
  return afterAll(stage, async (input) => {
    const documents = await collect(input);
    const hasPoint = (document: Document): boolean => {
      const value = valueAt(document, grid.path);
      if (!isNullish(value) && !grid.isPoint(value)) {
        throw stageError(
          stage,
          'its field must contain dates if a unit is given, and finite numbers otherwise',
        );
      }
      return !isNullish(value);
    };
    const withPoint = documents.filter(hasPoint);
    const all = getRange(withPoint, grid);
    const partitions = partition(withPoint, (document) =>
      grid.partitionBy.map((path) => valueAt(document, path)),
    );
    checkCount(partitions, all, grid);
    const filled = partitions.flatMap(({ key, documents: present }) => {
      const added = missing(present, key, all, grid);
      return sortDocuments([...present, ...added], [{ path: grid.path, descending: false }]);
    });
    return [...documents.filter((document) => !hasPoint(document)), ...filled];
  });
}

interface Range {
  from: Point;
  to: Point;
  includesEnd: boolean;
}

function getRange(documents: readonly Document[], { path, bounds }: Grid): Range | undefined {
  if (typeof bounds === 'object') return { from: bounds[0], to: bounds[1], includesEnd: false };
  const points = documents.map((document) => valueAt(document, path) as Point);
  const [first, ...others] = points;
  if (first === undefined) return undefined;
  let [from, to] = [first, first];
  for (const point of others) {
    from = compareValues(point, from) < 0 ? point : from;
    to = compareValues(point, to) > 0 ? point : to;
  }
  return { from, to, includesEnd: true };
}

/** Rejects a sequence with too many points before any points are created. */
function checkCount(partitions: readonly Partition[], all: Range | undefined, grid: Grid): void {
  const count = partitions.reduce((sum, { documents }) => {
    const range = grid.bounds === 'partition' ? getRange(documents, grid) : all;
    const points =
      range === undefined ? 0 : (Number(range.to) - Number(range.from)) / grid.stepLength;
    return sum + Math.max(0, Math.floor(points) - documents.length);
  }, 0);
  if (count > MAX_NEW) {
    throw exhausted(
      `$densify would add about ${count.toPrecision(2)} documents, more than the limit of ` +
        `${String(MAX_NEW)} documents; use a longer step or closer bounds`,
    );
  }
}

/** Returns new documents for the missing points in a partition's range. */
function missing(
  present: readonly Document[],
  key: unknown,
  all: Range | undefined,
  grid: Grid,
): Document[] {
  const range = grid.bounds === 'partition' ? getRange(present, grid) : all;
  if (range === undefined) return [];
  const there = new Set(present.map((document) => Number(valueAt(document, grid.path))));
  const base = grid.partitionBy.reduce<Document>(
    (document, path, index) => withValueAt(document, path, (key as unknown[])[index]),
    {},
  );
  const added: Document[] = [];
  for (let step = 0; ; step++) {
    const point = grid.after(range.from, step);
    const order = compareValues(point, range.to);
    if (order > 0 || (order === 0 && !range.includesEnd)) return added;
    if (!there.has(Number(point))) added.push(withValueAt(base, grid.path, point));
  }
}

function parseGrid(stage: Stage): Grid {
  const { field, partitionByFields, range } = parseOptions(stage, {
    known: ['field', 'partitionByFields', 'range'],
    required: ['field', 'range'],
  });
  const { step, unit, bounds } = requireDocument(stage, range, 'range');
  if (typeof field !== 'string') {
    throw stageError(stage, 'field must name the field of the sequence');
  }
  if (typeof step !== 'number' || !(step > 0) || (unit !== undefined && !Number.isInteger(step))) {
    throw stageError(
      stage,
      'range.step must be a number greater than 0, and a whole number if a unit is given',
    );
  }
  if (unit !== undefined && !isTimeUnit(unit)) {
    throw stageError(stage, `range.unit must be a unit of time, such as "hour"`);
  }
  const isPoint = (value: unknown): value is Point =>
    (unit === undefined ? typeof value === 'number' : value instanceof Date) &&
    Number.isFinite(Number(value));
  const partitionBy = partitionPaths(stage, partitionByFields);
  if (partitionBy.some((path) => path.join('.') === field)) {
    throw stageError(stage, 'partitionByFields must not name the field of the sequence');
  }
  return {
    path: checked(stage, () => parseFieldPath(field)),
    partitionBy,
    after: (start, steps) => pointAfter(start, steps * step, unit),
    stepLength: step * (unit === undefined ? 1 : getUnitLength(unit)),
    bounds: parseBounds(stage, bounds, isPoint),
    isPoint,
  };
}

function pointAfter(start: Point, amount: number, unit: TimeUnit | undefined): Point {
  return typeof start === 'number' || unit === undefined
    ? Number(start) + amount
    : addTime(start, amount, unit);
}

function getUnitLength(unit: TimeUnit): number {
  return isMonths(unit) ? MONTHS[unit] * MIN_MONTH_MS : LENGTHS[unit];
}

function parseBounds(
  stage: Stage,
  bounds: unknown,
  isPoint: (value: unknown) => value is Point,
): Grid['bounds'] {
  if (bounds === 'full' || bounds === 'partition') return bounds;
  if (Array.isArray(bounds)) {
    const [from, to, ...others] = bounds as unknown[];
    if (isPoint(from) && isPoint(to) && others.length === 0 && compareValues(from, to) <= 0) {
      return [from, to];
    }
  }
  throw stageError(
    stage,
    'range.bounds must be "full", "partition", or an array with a lower and an upper bound: ' +
      'dates if a unit is given, numbers otherwise',
  );
}
