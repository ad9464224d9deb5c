/**
 * Maximum length of a name. Longer names are rarely typed by hand and would take too long to
 * compare.
 */
const MAX_LENGTH = 200;

/**
 * Finds the most likely intended name for an invalid name: the name that requires the fewest
 * omitted, added, changed, or swapped characters, ignoring case.
 * @returns undefined if no name is similar.
 */
export function nearestName(written: string, names: Iterable<string>): string | undefined {
  if (written.length > MAX_LENGTH) return undefined;
  const normalized = written.toLowerCase();
  // Up to a third of the characters can differ. Short names must match almost exactly.
  let least = Math.max(1, Math.floor(normalized.length / 3)) + 1;
  let nearest: string | undefined;
  for (const name of names) {
    if (Math.abs(name.length - normalized.length) >= least) continue;
    const distance = getEditDistance(normalized, name.toLowerCase());
    if (distance < least) [least, nearest] = [distance, name];
  }
  return nearest;
}

/**
 * Returns the edit distance between two strings: the number of characters to omit, add, change, or
 * swap with the next character.
 */
function getEditDistance(a: string, b: string): number {
  let [before, last] = [[] as number[], Array.from({ length: b.length + 1 }, (_, index) => index)];
  for (let row = 1; row <= a.length; row += 1) {
    const next = [row];
    for (let at = 1; at <= b.length; at += 1) {
      const isSame = a[row - 1] === b[at - 1];
      const isSwapped = a[row - 1] === b[at - 2] && a[row - 2] === b[at - 1];
      next.push(
        Math.min(
          (last[at] ?? 0) + 1,
          (next[at - 1] ?? 0) + 1,
          (last[at - 1] ?? 0) + (isSame ? 0 : 1),
          isSwapped ? (before[at - 2] ?? Infinity) + 1 : Infinity,
        ),
      );
    }
    [before, last] = [last, next];
  }
  return last[b.length] ?? 0;
}
