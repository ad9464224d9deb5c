/** Writes records to a file, in the order in which they come. */
export interface RecordWriter<Record> {
  write(records: readonly Record[]): Promise<void>;
  /** Completes the file. @throws the reason of the signal when it is aborted before. */
  end(signal: AbortSignal): Promise<void>;
}
