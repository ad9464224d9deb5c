import {
  damagedFiles,
  exhaustedMemory,
  failedInside,
  invalidQuery,
  isDamagedFile,
  isOutOfMemory,
  JobError,
  readEngineError,
} from '../jobError';

interface TextRange {
  start: number;
  end: number;
}

const MAX_FRAGMENT = 40;
/** Matches a name or path, a quoted string, or everything up to the next space. */
const FRAGMENT =
  /^(?:[\p{L}_][\p{L}\p{N}_$]*(?:\s*\.\s*(?:[\p{L}_][\p{L}\p{N}_$]*|"[^"]*"))*|'[^']*'|"[^"]*"|\S+)/u;

/** Caller-facing information about an error in a query. */
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
  message,
  sql,
  offset,
  advice = '',
  cause,
}: QueryErrorInfo): JobError {
  const range = getFragmentRange(sql, offset ?? -1);
  const where = range === undefined ? '' : describeRange(sql, range);
  return invalidQuery(message + where + advice, {
    location: range,
    ...(cause !== undefined && { cause }),
  });
}

/** Returns the range of the text fragment at a byte offset in a query, in UTF-16 code units. */
function getFragmentRange(sql: string, offset: number): TextRange | undefined {
  const bytes = Buffer.from(sql);
  if (!Number.isInteger(offset) || offset < 0 || offset > bytes.byteLength) return undefined;
  const start = bytes.subarray(0, offset).toString().length;
  const fragment = FRAGMENT.exec(sql.slice(start))?.[0] ?? '';
  return { start, end: start + fragment.length };
}

/**
 * Describes a position by its text and by its one-based line and column. Columns are counted in
 * characters.
 */
function describeRange(sql: string, { start, end }: TextRange): string {
  const lines = sql.slice(0, start).split('\n');
  const column = Array.from(lines.at(-1) ?? '').length + 1;
  const found = sql.slice(start, end);
  const fragment = found.length > MAX_FRAGMENT ? `${found.slice(0, MAX_FRAGMENT)}…` : found;
  const at = fragment === '' ? 'at the end' : `at ${JSON.stringify(fragment)}`;
  return ` (${at}, line ${String(lines.length)}, column ${String(column)})`;
}

const MAX_MESSAGE = 400;
/** Advice to change settings, which users of this service can't follow. */
const SETTING_ADVICE = /\s*\b(?:Use|Try|Consider)\b[^.]*\bSET\b[^.]*\./gi;
/** Kinds of errors that are caused by the query. All other kinds are internal errors. */
const QUERY_KINDS = new Set([
  ...['Parser', 'Syntax', 'Binder', 'Catalog', 'Conversion', 'Invalid Input', 'Invalid Type'],
  ...['Out of Range', 'Mismatch Type', 'Divide by Zero', 'Decimal', 'Expression'],
  ...['Constraint', 'Parameter Not Allowed', 'Parameter Not Resolved', 'Optimizer', 'Planner'],
  ...['Value', 'Settings', 'Sequence', 'Invalid Configuration', 'Not implemented'],
]);

/** Mapping from errors in the executed SQL to the text that the user wrote. */
interface UserQuery {
  sql: string;
  /**
   * Maps a position in bytes. Also returns the user's original text if different text was executed
   * at that position.
   */
  toOriginal: (offset: number) => { offset: number; written?: string };
  /** Restores the user's original text. */
  restore: (text: string) => string;
  /** SQL that converts values of mixed types in `data` to numbers. */
  casts: readonly string[];
}

/** Converts a DuckDB error to the error for a query's caller. */
export function queryError(error: unknown, text: UserQuery): unknown {
  if (error instanceof JobError || !(error instanceof Error)) return error;
  const { exception_type: kind, exception_message: message, position } = readEngineError(error);
  if (isOutOfMemory(error)) return exhaustedMemory({ cause: error });
  if (isDamagedFile(error)) return damagedFiles({ cause: error });
  if (kind === 'Permission') {
    return invalidQuery('operation not allowed in queries', { cause: error });
  }
  if (!QUERY_KINDS.has(kind)) return failedInside({ cause: error });
  const restored = text.restore(toShortMessage(message));
  const advice = adviceOn(message, text);
  if (position === undefined) return invalidQuery(restored + advice, { cause: error });
  const { offset, written } = text.toOriginal(Number(position));
  // If a column must be grouped, DuckDB reports only the first part of its name.
  const corrected =
    written === undefined
      ? restored
      : restored.replaceAll(/"data"|\(data\)/g, (name) => name.replace('data', () => written));
  return createQueryError({
    message: corrected,
    sql: text.sql,
    offset,
    advice,
    cause: error,
  });
}

/**
 * Returns advice for values whose type is JSON because readings contain values of different types.
 */
function adviceOn(message: string, { casts: [cast] }: UserQuery): string {
  return cast !== undefined && /JSON|[Cc]onvert|[Cc]ast/.test(message)
    ? `; if values have several types, select those of one type, for example with ${cast}`
    : '';
}

/** Returns a DuckDB message on one line, without long lists and advice. */
export function toShortMessage(message: string): string {
  const [restored = ''] = message.split(/\n\s*(?:Candidate functions|Candidates?:|LINE \d)/);
  const line = restored
    .replaceAll(SETTING_ADVICE, '')
    .replaceAll(/\s*\n\s*/g, ' ')
    .trim();
  return line.length > MAX_MESSAGE ? `${line.slice(0, MAX_MESSAGE)}…` : line;
}
