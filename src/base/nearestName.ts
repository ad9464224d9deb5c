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
    const distance = getEditDistance(normalized, name.toLowerCase(), least);
    if (distance < least) [least, nearest] = [distance, name];
  }
  return nearest;
}

/**
 * Returns the edit distance between two strings: the number of characters to omit, add, change, or
 * swap with the next character. Returns Infinity if it is not less than a limit.
 */
function getEditDistance(a: string, b: string, limit: number): number {
  const width = b.length + 1;
  // The rows for the two previous characters and the current one.
  let [before, last, next] = [0, 1, 2].map(() => new Uint16Array(width)) as [Row, Row, Row];
  for (let at = 0; at < width; at += 1) last[at] = at;
  let lastMinimum = 0;
  for (let row = 1; row <= a.length; row += 1) {
    let nextMinimum = row;
    next[0] = row;
    for (let at = 1; at < width; at += 1) {
      const isSame = a.charCodeAt(row - 1) === b.charCodeAt(at - 1);
      let distance = Math.min(
        (last[at] ?? 0) + 1,
        (next[at - 1] ?? 0) + 1,
        (last[at - 1] ?? 0) + (isSame ? 0 : 1),
      );
      const isSwapped =
        row > 1 &&
        at > 1 &&
        a.charCodeAt(row - 1) === b.charCodeAt(at - 2) &&
        a.charCodeAt(row - 2) === b.charCodeAt(at - 1);
      if (isSwapped) distance = Math.min(distance, (before[at - 2] ?? 0) + 1);
      next[at] = distance;
      if (distance < nextMinimum) nextMinimum = distance;
    }
    // Later rows depend on the last two rows.
    if (nextMinimum >= limit && lastMinimum >= limit) return Infinity;
    lastMinimum = nextMinimum;
    [before, last, next] = [last, next, before];
  }
  return last[b.length] ?? 0;
}

type Row = Uint16Array<ArrayBuffer>;
