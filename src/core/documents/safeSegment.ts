/**
 * Maximum length of a name: long enough to distinguish names, short enough for tabs, menus, and
 * notifications.
 */
const MAX_CODE_POINTS = 60;
const UNNAMED = 'unnamed';

/**
 * Makes a name safe for use as one segment of a document's path. Other users choose the names.
 * Slashes and dots would change the path, bidirectional marks would reverse the text of a tab, and
 * brackets would become links in VS Code notifications. Keeps letters, digits, spaces, `-`, `_`,
 * and inner dots; replaces each run of other characters with one `_`. The segment is for display
 * only, because the ID in the path identifies the resource.
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

/**
 * Like `safeSegment`, but for folders, because a folder that ends in `.json` would look like a
 * document.
 */
export function safeFolder(name: string): string {
  return safeSegment(name).replace(/\.json$/i, '_json');
}
