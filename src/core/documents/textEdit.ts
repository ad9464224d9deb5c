/** Replacement of a range of text. The offsets of the range are in UTF-16 units. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * Returns the single minimal edit that changes `old` to `updated`. The edit never splits a line
 * break or a surrogate pair.
 * @returns undefined if the strings are identical.
 */
export function findTextEdit(old: string, updated: string): TextEdit | undefined {
  if (old === updated) return undefined;
  const maxLength = Math.min(old.length, updated.length);
  let start = 0;
  while (start < maxLength && old[start] === updated[start]) start += 1;
  while (start > 0 && (isJoined(old, start) || isJoined(updated, start))) start -= 1;
  let tail = 0;
  while (tail < maxLength - start && old.at(-1 - tail) === updated.at(-1 - tail)) tail += 1;
  const cutsTail = (): boolean =>
    isJoined(old, old.length - tail) || isJoined(updated, updated.length - tail);
  while (tail > 0 && cutsTail()) tail -= 1;
  return { start, end: old.length - tail, text: updated.slice(start, updated.length - tail) };
}

/**
 * Returns true if the UTF-16 units before and after `offset` form a line break or a surrogate pair.
 */
function isJoined(text: string, offset: number): boolean {
  return /^(?:\r\n|[\uD800-\uDBFF][\uDC00-\uDFFF])$/.test(text.slice(offset - 1, offset + 1));
}
