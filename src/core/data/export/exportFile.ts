/** File that becomes visible to other programs only when it is complete. */
export interface ExportFile {
  /** Appends bytes. Resolves when the file can accept more. */
  write(bytes: Uint8Array): Promise<void>;
  /**
   * Replaces the written content with new content, which is derived from the bytes after an offset.
   */
  rewrite(
    from: number,
    change: (content: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>,
  ): Promise<void>;
}
