/** A temporary file that nobody else sees. */
export interface Spool {
  /** Adds bytes at the end. */
  append(bytes: Uint8Array): Promise<void>;
  /** Bytes that were added, so many from one on. */
  read(from: number, length: number): Promise<Uint8Array>;
  /** Removes the file. Reading that is under way fails. */
  dispose(): void;
}

/** Where temporary files come from. */
export interface Spools {
  create(): Promise<Spool>;
}
