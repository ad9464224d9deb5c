import type { ContentMark } from '../../api/contentStream';

/** A folder that contents are downloaded to. Every method throws what the file system says. */
export interface ContentFolder {
  /** Whether a file of this name is there, and so complete. */
  has(name: string): Promise<boolean>;
  /** Opens the file in the making of this name, which may hold what an earlier try came to. */
  open(name: string): Promise<UnfinishedContent>;
}

/** A file in the making, which others see when all is in it. */
export interface UnfinishedContent {
  /** How far an earlier try came; undefined when there is nothing to go on with. */
  readonly mark: ContentMark | undefined;
  /**
   * Makes ready to write from a byte on; what was behind it is gone.
   * @param version of the content, with which a later try can go on; undefined when none can.
   */
  begin(start: number, version: string | undefined): Promise<void>;
  /** Adds bytes at the end, and resolves when it takes more. */
  write(bytes: Uint8Array): Promise<void>;
  /** Gives the file its name. */
  finish(): Promise<void>;
  /** Closes it as it is, for a later try to go on with. */
  leave(): Promise<void>;
}
