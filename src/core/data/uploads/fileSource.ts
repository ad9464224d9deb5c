/** File to upload, independent of its location. */
export interface FileSource {
  /** Path relative to the selection, with `/` between folders, such as `photos/a.jpg`. */
  readonly path: string;
  /** Size in bytes at the time the file was found. */
  readonly size: number;
  /** Creation time in microseconds since 1970. */
  readonly createdAt?: number | undefined;
  readonly modifiedAt?: number | undefined;
  /**
   * Reads the content from its start in chunks, only as fast as they are consumed. Can be called
   * again to retry a failed upload.
   * @throws FleetError when the file can't be read; `conflict` when it has changed since it was
   *   found, at the latest after the last chunk.
   */
  readonly read: (signal: AbortSignal) => AsyncIterable<Uint8Array>;
}
