/** Subfolder for contents or for metadata. */
export type DownloadPart = 'data' | 'metadata';

/** Open file to which bytes are written from an offset. */
export interface OpenPart {
  write(bytes: Uint8Array): Promise<void>;
  close(): Promise<void>;
}

/**
 * Folder of a download. Names are single path segments, and links out of the folder are not
 * followed. Methods throw `FleetError`. The kind `unavailable` means that the disk is full or can't
 * be written, and ends the download.
 */
export interface DownloadFolder {
  /** Returns the names of the files in a part. */
  names(part: DownloadPart): Promise<readonly string[]>;
  /** Returns the size of a file in bytes; undefined if the file doesn't exist. */
  size(part: DownloadPart, name: string): Promise<number | undefined>;
  read(part: DownloadPart, name: string): Promise<string | undefined>;
  /** Writes a complete text file and overwrites an existing one. */
  write(part: DownloadPart, name: string, text: string): Promise<void>;
  /** Opens a content file to resume at an offset and truncates the file at this offset. */
  open(name: string, at: number): Promise<OpenPart>;
  /**
   * Gives a content file its final name. @returns false if a file with that name already exists.
   */
  rename(from: string, to: string): Promise<boolean>;
  remove(part: DownloadPart, name: string): Promise<void>;
}
