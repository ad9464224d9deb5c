const MAX_FRAGMENT = 40;
/** A name or path, a quoted text, or else what stands there up to a space. */
const FRAGMENT =
  /^(?:[\p{L}_][\p{L}\p{N}_$]*(?:\s*\.\s*(?:[\p{L}_][\p{L}\p{N}_$]*|"[^"]*"))*|'[^']*'|"[^"]*"|\S+)/u;

/**
 * Names a place in a query: what stands there, and its line and column, counted from one in
 * characters. Empty when the place is not known.
 * @param offset in bytes of the query as UTF-8.
 */
export function describePlace(sql: string, offset: number): string {
  const bytes = Buffer.from(sql);
  if (!Number.isInteger(offset) || offset < 0 || offset > bytes.byteLength) {
    return '';
  }
  const before = bytes.subarray(0, offset).toString();
  const rest = sql.slice(before.length);
  const lines = before.split('\n');
  const column = Array.from(lines.at(-1) ?? '').length + 1;
  const found = FRAGMENT.exec(rest)?.[0] ?? '';
  const fragment = found.length > MAX_FRAGMENT ? `${found.slice(0, MAX_FRAGMENT)}…` : found;
  const at = fragment === '' ? 'at the end' : `at ${JSON.stringify(fragment)}`;
  return ` (${at}, line ${String(lines.length)}, column ${String(column)})`;
}
