/** File that becomes visible to other programs only when it is complete. */
export interface ExportFile {
  /** Appends bytes and resolves when it can take more. */
  write(bytes: Uint8Array): Promise<void>;
  /**
   * Replaces the written content with a new one, which is derived from the bytes after an offset.
   */
  rewrite(
    from: number,
    change: (content: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>,
  ): Promise<void>;
}
