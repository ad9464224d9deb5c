/** Writes records to a file in the order of arrival. */
export interface RecordWriter<Record> {
  write(records: readonly Record[]): Promise<void>;
  /** Completes the file. @throws the reason of the signal when it aborts first. */
  end(signal: AbortSignal): Promise<void>;
}
