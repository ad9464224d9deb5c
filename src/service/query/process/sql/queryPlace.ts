import { invalidQuery, type JobError } from '../jobError';

interface TextPlace {
  start: number;
  end: number;
}

const MAX_FRAGMENT = 40;
/** A name or path, a quoted text, or else what stands there up to a space. */
const FRAGMENT =
  /^(?:[\p{L}_][\p{L}\p{N}_$]*(?:\s*\.\s*(?:[\p{L}_][\p{L}\p{N}_$]*|"[^"]*"))*|'[^']*'|"[^"]*"|\S+)/u;

/** What the caller reads of a fault at some place of a query. */
interface QueryFault {
  /** What is wrong. */
  said: string;
  sql: string;
  /** In bytes of the query as UTF-8; absent, or one that is not in it, when it is not known. */
  offset: number | undefined;
  /** What to do about it. */
  advice?: string;
  cause?: unknown;
}

/** The query is at fault, at this place when that is known: in words, and for programs. */
export function faultAt({ said, sql, offset, advice = '', cause }: QueryFault): JobError {
  const place = placeIn(sql, offset ?? -1);
  const where = place === undefined ? '' : describePlace(sql, place);
  return invalidQuery(said + where + advice, { place, ...(cause !== undefined && { cause }) });
}

/** What stands at a place of a query, in UTF-16 code units. */
function placeIn(sql: string, offset: number): TextPlace | undefined {
  const bytes = Buffer.from(sql);
  if (!Number.isInteger(offset) || offset < 0 || offset > bytes.byteLength) {
    return undefined;
  }
  const start = bytes.subarray(0, offset).toString().length;
  const fragment = FRAGMENT.exec(sql.slice(start))?.[0] ?? '';
  return { start, end: start + fragment.length };
}

/** Names a place: what stands there, and its line and column, counted from one in characters. */
function describePlace(sql: string, { start, end }: TextPlace): string {
  const lines = sql.slice(0, start).split('\n');
  const column = Array.from(lines.at(-1) ?? '').length + 1;
  const found = sql.slice(start, end);
  const fragment = found.length > MAX_FRAGMENT ? `${found.slice(0, MAX_FRAGMENT)}…` : found;
  const at = fragment === '' ? 'at the end' : `at ${JSON.stringify(fragment)}`;
  return ` (${at}, line ${String(lines.length)}, column ${String(column)})`;
}
