/** Long enough to tell names apart, short enough for tabs, menus and notification texts. */
const MAX_CODE_POINTS = 60;
const UNNAMED = 'unnamed';

/**
 * Makes a name of the fleet safe to stand as one segment of a document's path. Names come from other
 * people: slashes and dots would change the path, direction marks would reverse what a tab shows, and
 * brackets would become links where VS Code shows a path in a notification. Letters, digits, spaces,
 * `-`, `_` and inner dots stay; runs of anything else become one `_`. The segment is for reading only:
 * the id in the path says which resource it is.
 */
export function safeSegment(name: string): string {
  const cleaned = name
    .slice(0, MAX_CODE_POINTS * 4)
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N} ._-]+/gu, '_')
    .replace(/\.{2,}/g, '_');
  const short = Array.from(cleaned).slice(0, MAX_CODE_POINTS).join('');
  return short.replace(/^[. ]+|[. ]+$/g, '') || UNNAMED;
}

/** Like `safeSegment`, for folders: one that ends in `.json` would look like a document. */
export function safeFolder(name: string): string {
  return safeSegment(name).replace(/\.json$/i, '_json');
}
