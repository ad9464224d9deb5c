import { compareValues } from '../values/compareValues';
import { isNullish } from '../values/document';

/**
 * Fills missing values by linear interpolation, like MongoDB. A missing value that isn't between
 * two values becomes null.
 * @param positions values of the sort key: numbers or dates
 * @throws Error with a message for the user if values or positions can't be interpolated.
 */
export function interpolate(positions: readonly unknown[], values: readonly unknown[]): unknown[] {
  const xs = positions.map((position, index) => {
    const previous = positions[index - 1];
    if (index > 0 && compareValues(position, previous) === 0) {
      throw new Error(
        'linear interpolation needs different values in the sortBy field; use a partition for each series',
      );
    }
    const isMixed = index > 0 && position instanceof Date !== previous instanceof Date;
    if (isMixed || (typeof position !== 'number' && !(position instanceof Date))) {
      throw new Error('linear interpolation needs numbers, or dates, in the sortBy field');
    }
    return Number(position);
  });
  const ys = values.map((value) => {
    if (!isNullish(value) && typeof value !== 'number') {
      throw new Error(
        'linear interpolation needs numbers, null, or missing values in the field to fill',
      );
    }
    return value ?? null;
  });
  let before = -1;
  let after = 0;
  return ys.map((y, index) => {
    if (y !== null) {
      before = index;
      return y;
    }
    after = Math.max(after, index);
    while (after < ys.length && ys[after] === null) {
      after++;
    }
    const [x1, y1, x2, y2] = [xs[before], ys[before], xs[after], ys[after]];
    const x = xs[index] ?? 0;
    return x1 === undefined || x2 === undefined || typeof y1 !== 'number' || typeof y2 !== 'number'
      ? null
      : y1 + (x - x1) * ((y2 - y1) / (x2 - x1));
  });
}
