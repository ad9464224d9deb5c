/** Folder part for contents or for metadata. */
export type DownloadPart = 'data' | 'metadata';

/** Open file that is written from an offset. */
export interface OpenPart {
  write(bytes: Uint8Array): Promise<void>;
  close(): Promise<void>;
}

/**
 * Folder of a download. Names are single segments, and links out of the folder are not followed.
 * Methods throw `FleetError`: `unavailable` when the disk is full or can't be written, which ends a
 * download.
 */
export interface DownloadFolder {
  /** Returns the names of the files in a part. */
  names(part: DownloadPart): Promise<readonly string[]>;
  /** Returns the size in bytes; undefined if there is no such file. */
  size(part: DownloadPart, name: string): Promise<number | undefined>;
  read(part: DownloadPart, name: string): Promise<string | undefined>;
  /** Writes a whole text and overwrites the existing file. */
  write(part: DownloadPart, name: string, text: string): Promise<void>;
  /** Opens a content file to resume at an offset and truncates it there. */
  open(name: string, at: number): Promise<OpenPart>;
  /**
   * Gives a content file its final name. @returns false if a file with that name already exists.
   */
  rename(from: string, to: string): Promise<boolean>;
  remove(part: DownloadPart, name: string): Promise<void>;
}
