import type { Generated, Selectable } from 'kysely';
import type { Micros } from '../micros';

/** Lines that parts of machines logged. */
export interface LogLinesTable {
  /** Lines of one moment are in the order of their ids. */
  id: Generated<number>;
  part_id: string;
  /** When the machine logged it: lists are in this order. */
  logged_at: Micros;
  /** When the service stored it. */
  stored_at: Micros;
  /** Bytes of its texts. */
  size: number;
  /** As the machine calls it. */
  level: string;
  /** In small letters: lines are asked for by it. */
  level_key: string;
  logger_name: string;
  host: string;
  message: string;
  /** The message as `foldCase` has it, where small letters of ASCII are not enough for that. */
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
