/** A file in the making, which others see when all is in it. */
export interface ExportFile {
  /** Adds bytes at the end, and resolves when it takes more. */
  write(bytes: Uint8Array): Promise<void>;
  /** Puts other content in the place of what was written, made of what was written from a byte on. */
  rewrite(
    from: number,
    change: (content: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>,
  ): Promise<void>;
}
