import type { Generated, Selectable } from 'kysely';
import type { Micros } from '../micros';

/** Lines that parts of machines logged. */
export interface LogLinesTable {
  /** Lines with the same timestamp are sorted by ID. */
  id: Generated<number>;
  part_id: string;
  /** Time when the machine logged it, by which lists are sorted. */
  logged_at: Micros;
  /** Time when the service stored it. */
  stored_at: Micros;
  /** Size of its texts in bytes. */
  size: number;
  /** As sent by the machine. */
  level: string;
  /** In lowercase, for filtering. */
  level_key: string;
  logger_name: string;
  host: string;
  message: string;
  /** The result of `foldCase` for the message, if ASCII lowercase isn't sufficient. */
  folded: string | null;
  /** JSON of an object. */
  caller: string | null;
  stack: string;
  /** JSON of a list of objects. */
  fields: string;
}

/** The tables of logs. */
export interface LogSchema {
  log_lines: LogLinesTable;
}

export type LogLineRow = Selectable<LogLinesTable>;
