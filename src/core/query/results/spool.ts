/** Private temporary file. */
export interface Spool {
  /** Appends bytes. */
  append(bytes: Uint8Array): Promise<void>;
  /** Reads the given number of bytes, starting at an offset. */
  read(from: number, length: number): Promise<Uint8Array>;
  /** Deletes the file. Reads in progress fail. */
  dispose(): void;
}

/** Factory for temporary files. */
export interface SpoolFactory {
  create(): Promise<Spool>;
}
