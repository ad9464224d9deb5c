/**
 * Which of some different numbers, by their places, rise from one to the next in the longest way there is.
 * Of things in a row that are to stand in another order, those at these places can stay where they are.
 */
export function longestRun(numbers: readonly number[]): ReadonlySet<number> {
  /** The place where the least number stands that a run of each length ends with. */
  const ends: number[] = [];
  const before: (number | undefined)[] = [];
  numbers.forEach((number, place) => {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((numbers[ends[middle] ?? 0] ?? 0) < number) low = middle + 1;
      else high = middle;
    }
    before.push(low > 0 ? ends[low - 1] : undefined);
    ends[low] = place;
  });
  const run = new Set<number>();
  for (let place = ends.at(-1); place !== undefined; place = before[place]) run.add(place);
  return run;
}
