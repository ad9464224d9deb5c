import type { Generated, Selectable } from 'kysely';
import type { Micros } from '../micros';

/** Table of lines that parts of machines have logged. */
export interface LogLinesTable {
  /** ID, which determines the order of lines with the same timestamp. */
  id: Generated<number>;
  part_id: string;
  /** Time when the machine logged the line. Lists are sorted by this time. */
  logged_at: Micros;
  /** Time when the service stored the line. */
  stored_at: Micros;
  /** Size, in bytes, of the line's text. */
  size: number;
  /** Log level as sent by the machine. */
  level: string;
  /** Log level in lowercase, for filtering. */
  level_key: string;
  logger_name: string;
  host: string;
  message: string;
  /** Result of `foldCase` for the message; null if ASCII lowercase is sufficient. */
  folded: string | null;
  /** Source code position, as a JSON object. */
  caller: string | null;
  stack: string;
  /** The line's fields, as a JSON list of objects. */
  fields: string;
}

/** Tables of logs. */
export interface LogSchema {
  log_lines: LogLinesTable;
}

export type LogLineRow = Selectable<LogLinesTable>;

const BEYOND_ASCII = /\P{ASCII}/u;

/** Returns a string's case-folded form, for case-insensitive searches. */
export function foldCase(text: string): string {
  // The lowercase form of Σ depends on its position in a word, which is unknown for substrings of
  // messages.
  return text.toLowerCase().replaceAll('ς', 'σ');
}

/** Returns the case-folded message if it contains non-ASCII letters; otherwise, returns null. */
export function foldedMessage(message: string): string | null {
  return BEYOND_ASCII.test(message) ? foldCase(message) : null;
}
