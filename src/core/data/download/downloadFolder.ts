/** Where contents go, and what is known of each. */
export type DownloadPart = 'data' | 'metadata';

/** A file that is being written from some byte on. */
export interface OpenPart {
  write(bytes: Uint8Array): Promise<void>;
  close(): Promise<void>;
}

/**
 * The folder of a download. Names are single segments; a folder follows no link out of itself. Methods throw
 * `FleetError`: `unavailable` when the disk is full or cannot be written, which ends a download.
 */
export interface DownloadFolder {
  /** The names of the files in a part. */
  names(part: DownloadPart): Promise<readonly string[]>;
  /** Size in bytes; nothing when there is no such file. */
  size(part: DownloadPart, name: string): Promise<number | undefined>;
  read(part: DownloadPart, name: string): Promise<string | undefined>;
  /** Writes a whole text, over the one that was there. */
  write(part: DownloadPart, name: string, text: string): Promise<void>;
  /** Opens a file of contents to go on at a byte; what is beyond it is cut off. */
  open(name: string, at: number): Promise<OpenPart>;
  /** Gives a file of contents its final name. @returns false when there is one of that name already. */
  rename(from: string, to: string): Promise<boolean>;
  remove(part: DownloadPart, name: string): Promise<void>;
}
