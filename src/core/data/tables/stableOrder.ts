/** Size of runs that are sorted by insertion. */
const RUN = 16;
/** Number of comparisons between two steps. */
const STEP = 4_096;

/**
 * Sorts the indexes from 0 by a comparison. The sort is stable. A step ends after a few thousand
 * comparisons, so that other work can run while many indexes are sorted.
 */
export function* stableOrder(
  count: number,
  compare: (a: number, b: number) => number,
): Generator<void, Uint32Array, void> {
  let from = new Uint32Array(count);
  for (let item = 0; item < count; item += 1) from[item] = item;
  let work = 0;
  for (let start = 0; start < count; start += RUN) {
    sortRun(from, start, Math.min(start + RUN, count), compare);
    if ((work += RUN) % STEP === 0) yield;
  }
  let to = new Uint32Array(count);
  for (let width = RUN; width < count; width *= 2) {
    for (let start = 0; start < count; start += 2 * width) {
      const middle = Math.min(start + width, count);
      yield* mergeRuns(from, to, { start, middle, end: Math.min(middle + width, count) }, compare);
    }
    [from, to] = [to, from];
  }
  return from;
}

function sortRun(
  items: Uint32Array,
  start: number,
  end: number,
  compare: (a: number, b: number) => number,
): void {
  for (let index = start + 1; index < end; index += 1) {
    const item = items[index] ?? 0;
    let at = index;
    for (; at > start && compare(items[at - 1] ?? 0, item) > 0; at -= 1) {
      items[at] = items[at - 1] ?? 0;
    }
    items[at] = item;
  }
}

interface Runs {
  readonly start: number;
  readonly middle: number;
  readonly end: number;
}

function* mergeRuns(
  from: Uint32Array,
  to: Uint32Array,
  { start, middle, end }: Runs,
  compare: (a: number, b: number) => number,
): Generator<void, void, void> {
  const isInOrder = middle >= end || compare(from[middle - 1] ?? 0, from[middle] ?? 0) <= 0;
  if (isInOrder) {
    to.set(from.subarray(start, end), start);
    yield;
    return;
  }
  let [left, right] = [start, middle];
  for (let at = start; at < end; at += 1) {
    const [a, b] = [from[left] ?? 0, from[right] ?? 0];
    const takesLeft = left < middle && (right >= end || compare(a, b) <= 0);
    to[at] = takesLeft ? a : b;
    if (takesLeft) left += 1;
    else right += 1;
    if (at % STEP === 0) yield;
  }
}
