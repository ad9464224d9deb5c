import type { DataShape } from '../../queryJob';

/** Path in a value, consisting of member names and zero-based array indexes. */
export type Path = readonly (string | number)[];

/**
 * Marker for values of different types, or for objects with too many members to track. It is not an
 * actual type.
 */
export const MIXED = 'JSON';

/** DuckDB type for a path at which no reading has a value. It is compatible with any type. */
const NOTHING = 'NULL';

const POSITION = /^\d+$/;

/**
 * Returns the DuckDB type of the values at a path, based on the shape of all readings.
 * @returns undefined for objects and arrays, including the entire value.
 */
export function typeAt(shape: DataShape, path: Path): string | undefined {
  if (path.length === 0) return undefined;
  let at: DataShape = shape;
  for (const step of path) {
    if (typeof at === 'string') return at === MIXED ? MIXED : NOTHING;
    if (isArray(at)) {
      if (typeof step === 'string' && POSITION.test(step)) {
        // Some operators interpret this path element as an index; others don't.
        return undefined;
      }
      at = typeof step === 'number' ? at[0] : NOTHING;
    } else {
      at = typeof step === 'string' && Object.hasOwn(at, step) ? (at[step] ?? NOTHING) : NOTHING;
    }
  }
  switch (at) {
    case 'BIGINT':
    case 'UBIGINT':
    case 'HUGEINT':
    case 'UHUGEINT':
    case 'DOUBLE':
      // All numbers in readings are doubles.
      return 'DOUBLE';
    default:
      return typeof at === 'string' ? at : undefined;
  }
}

function isArray(shape: DataShape): shape is readonly [DataShape] {
  return Array.isArray(shape);
}
