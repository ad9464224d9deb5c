/** Writes records to a file, in the order in which they come. */
export interface RecordWriter<Record> {
  write(records: readonly Record[]): Promise<void>;
  /** Nothing is written any more. */
  end(): Promise<void>;
}
