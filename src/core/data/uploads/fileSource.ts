/** A file that can be uploaded, wherever it is. */
export interface FileSource {
  /** Where it is in what was chosen, with `/` between folders: `photos/a.jpg`. */
  readonly path: string;
  /** Bytes, as they were when the file was found. */
  readonly size: number;
  /** Microseconds since 1970. */
  readonly createdAt?: number | undefined;
  readonly modifiedAt?: number | undefined;
  /**
   * The content from its start, piece by piece, only as fast as it is taken. Can be called again, to
   * repeat a failed upload.
   * @throws FleetError when the file cannot be read, or is not what it was when it was found any more;
   *   `conflict` for the latter, at the end of the content at the latest.
   */
  readonly read: (signal: AbortSignal) => AsyncIterable<Uint8Array>;
}
