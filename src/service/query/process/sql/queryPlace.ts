import { invalidQuery, type JobError } from '../jobError';

interface TextRange {
  start: number;
  end: number;
}

const MAX_FRAGMENT = 40;
/** Matches a name or path, a quoted string, or everything up to the next space. */
const FRAGMENT =
  /^(?:[\p{L}_][\p{L}\p{N}_$]*(?:\s*\.\s*(?:[\p{L}_][\p{L}\p{N}_$]*|"[^"]*"))*|'[^']*'|"[^"]*"|\S+)/u;

/** Information for the caller about an error in a query. */
interface QueryErrorInfo {
  /** Description of the problem. */
  message: string;
  sql: string;
  /** Byte offset in the UTF-8 query text; absent or out of range if the position isn't known. */
  offset: number | undefined;
  /** Advice on how to fix the problem. */
  advice?: string;
  cause?: unknown;
}

/**
 * Returns the error for an invalid query. If the position is known, it is included in the message
 * and in machine-readable form.
 */
export function createQueryError({
  message: said,
  sql,
  offset,
  advice = '',
  cause,
}: QueryErrorInfo): JobError {
  const range = getFragmentRange(sql, offset ?? -1);
  const where = range === undefined ? '' : describeRange(sql, range);
  return invalidQuery(said + where + advice, {
    location: range,
    ...(cause !== undefined && { cause }),
  });
}

/** Returns the range of the text fragment at a byte offset of a query, in UTF-16 code units. */
function getFragmentRange(sql: string, offset: number): TextRange | undefined {
  const bytes = Buffer.from(sql);
  if (!Number.isInteger(offset) || offset < 0 || offset > bytes.byteLength) {
    return undefined;
  }
  const start = bytes.subarray(0, offset).toString().length;
  const fragment = FRAGMENT.exec(sql.slice(start))?.[0] ?? '';
  return { start, end: start + fragment.length };
}

/**
 * Describes a position by the text at the position and by its one-based line and column. Columns
 * are counted in characters.
 */
function describeRange(sql: string, { start, end }: TextRange): string {
  const lines = sql.slice(0, start).split('\n');
  const column = Array.from(lines.at(-1) ?? '').length + 1;
  const found = sql.slice(start, end);
  const fragment = found.length > MAX_FRAGMENT ? `${found.slice(0, MAX_FRAGMENT)}…` : found;
  const at = fragment === '' ? 'at the end' : `at ${JSON.stringify(fragment)}`;
  return ` (${at}, line ${String(lines.length)}, column ${String(column)})`;
}
