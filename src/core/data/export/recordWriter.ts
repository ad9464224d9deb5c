/** Writes records to a file in the order in which they arrive. */
export interface RecordWriter<Record> {
  write(records: readonly Record[]): Promise<void>;
  /** Completes the file. @throws the signal's reason when it aborts first. */
  end(signal: AbortSignal): Promise<void>;
}
