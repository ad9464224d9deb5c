import type { NewLogLine } from '../store/logs/logLines';
import type { StoreAccess } from '../store/store';
import type { LogTail, WantsLine } from './logHub';

/** Stores lines of a part, and answers those that were not there yet. */
export type WriteLines = (access: StoreAccess) => Promise<NewLogLine[]>;

/** Takes lines in, and hands them on to anyone who reads them live. */
export interface LogFeed {
  /**
   * Writes lines of a part in a transaction: all are stored, or none.
   * @returns those that are new.
   * @throws what the write or the store throws.
   */
  append(partId: string, write: WriteLines): Promise<NewLogLine[]>;
  /**
   * Opens a tail of a part's lines: it has every line that is stored from now on. It is read until
   * it is disposed of.
   */
  open(partId: string, wanted: WantsLine): Promise<LogTail>;
  close(): Promise<void>;
}
