import type { NewLogLine } from '../store/logs/logLines';
import type { StoreAccess } from '../store/store';
import type { LogTail, WantsLine } from './logHub';

/** Stores lines of a part and returns the lines that didn't exist before. */
export type WriteLines = (access: StoreAccess) => Promise<NewLogLine[]>;

/** Receives lines and passes them to live readers. */
export interface LogFeed {
  /**
   * Writes lines of a part in a transaction that stores either all of them or none.
   * @returns the lines that didn't exist before.
   * @throws any error of the write or the store.
   */
  append(partId: string, write: WriteLines): Promise<NewLogLine[]>;
  /**
   * Opens a tail of a part's lines. Until the tail is disposed of, it delivers every line that is
   * stored from now on.
   */
  open(partId: string, wanted: WantsLine): Promise<LogTail>;
  close(): Promise<void>;
}
