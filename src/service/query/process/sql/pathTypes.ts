import type { DataShape } from '../../readingsFiles';

/** A path into a value: names of members, and positions in arrays counted from zero. */
export type Path = readonly (string | number)[];

/** Not a type: the values have several, or so many members that nobody counted them. */
export const MIXED = 'JSON';

/** The type of DuckDB of what no reading has: it fits where any type does. */
const NOTHING = 'NULL';

const POSITION = /^\d+$/;

/**
 * The type that DuckDB is told for the values at a path, by the shape that all readings have there.
 * @returns undefined for objects and arrays, and so for the whole.
 */
export function typeAt(shape: DataShape, path: Path): string | undefined {
  if (path.length === 0) {
    return undefined;
  }
  let at: DataShape = shape;
  for (const step of path) {
    if (typeof at === 'string') {
      return at === MIXED ? MIXED : NOTHING;
    }
    if (isArray(at)) {
      if (typeof step === 'string' && POSITION.test(step)) {
        // Some operators take it for a position, and others do not.
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
      // A reading's numbers all are.
      return 'DOUBLE';
    default:
      return typeof at === 'string' ? at : undefined;
  }
}

function isArray(shape: DataShape): shape is readonly [DataShape] {
  return Array.isArray(shape);
}
