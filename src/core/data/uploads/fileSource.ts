/** File to upload, independent of its location. */
export interface FileSource {
  /** Path relative to the selection, with `/` between folders: `photos/a.jpg`. */
  readonly path: string;
  /** Size in bytes when the file was found. */
  readonly size: number;
  /** Microseconds since 1970. */
  readonly createdAt?: number | undefined;
  readonly modifiedAt?: number | undefined;
  /**
   * Reads the content from its start in chunks, only as fast as it is consumed. Can be called again
   * to retry a failed upload.
   * @throws FleetError when the file can't be read or has changed since it was found; `conflict`
   *   for the latter, at the end of the content at the latest.
   */
  readonly read: (signal: AbortSignal) => AsyncIterable<Uint8Array>;
}
