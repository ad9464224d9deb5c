import type { Generated, Selectable } from 'kysely';
import type { Micros } from '../micros';

/** Lines that parts of machines logged. */
export interface LogLinesTable {
  /** ID, which determines the order of lines with the same timestamp. */
  id: Generated<number>;
  part_id: string;
  /** Time when the machine logged the line, by which lines are sorted in lists. */
  logged_at: Micros;
  /** Time when the service stored the line. */
  stored_at: Micros;
  /** Size of the line's texts in bytes. */
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
  /** JSON object. */
  caller: string | null;
  stack: string;
  /** JSON list of objects. */
  fields: string;
}

/** The tables of logs. */
export interface LogSchema {
  log_lines: LogLinesTable;
}

export type LogLineRow = Selectable<LogLinesTable>;
