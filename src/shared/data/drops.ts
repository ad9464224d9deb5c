import { isBoolean, isBytes, isListOf, isUndefined, isNumber, isShape, isString } from '../guards';
import { command, notification, request } from '../protocol';

/** A file on this computer that the user dropped into the panel. */
export interface DroppedFile {
  /** Path of the file within the drop, with `/` between folders. */
  readonly path: string;
  readonly sizeBytes: number;
  /** Modification time in milliseconds since 1970. */
  readonly modifiedAt: number;
}

export interface DroppedFiles {
  /** Identifies the drop. The page keeps its files until the drop is released. */
  readonly drop: number;
  readonly files: readonly DroppedFile[];
  /** Paths of hidden files and folders, which are skipped. */
  readonly hidden: readonly string[];
  /** Paths of files and folders that the operating system doesn't allow to be read. */
  readonly unreadable: readonly string[];
  /** True if there are more files than allowed; the list is then empty. */
  readonly tooMany: boolean;
}

/** Requests the bytes of a file. Messages with the bytes must contain the `read` ID. */
export interface FileRequest {
  readonly read: number;
  readonly drop: number;
  /** Index of the file in the drop. */
  readonly file: number;
}

/** Maximum number of dropped files. A larger number of files should be uploaded from a folder. */
export const MAX_DROPPED_FILES = 10_000;
/** Number of bytes of a file to send per message. */
export const DROPPED_PIECE_BYTES = 1024 * 1024;

const isDroppedFile = isShape<DroppedFile>({
  path: isString,
  sizeBytes: isNumber,
  modifiedAt: isNumber,
});

/** Messages about files that the user adds to the panel. */
export const dropMessages = {
  /** Prompts for files and folders with VS Code dialogs. */
  chooseFiles: command(isUndefined),
  /** Reports dropped files on this computer. Only the page can read their bytes. */
  dropFiles: command<DroppedFiles>(
    isShape<DroppedFiles>({
      drop: isNumber,
      files: isListOf(isDroppedFile),
      hidden: isListOf(isString),
      unreadable: isListOf(isString),
      tooMany: isBoolean,
    }),
  ),
  /** Reports files dropped from the VS Code Explorer, which the host reads itself. */
  dropUris: command<{ readonly uris: readonly string[] }>(isShape({ uris: isListOf(isString) })),
  /** Sends the next bytes of a requested file. Resolves when the host is ready for more. */
  dropBytes: request<
    { readonly read: number; readonly bytes: ArrayBuffer },
    { readonly more: boolean }
  >(isShape({ read: isNumber, bytes: isBytes }), isShape({ more: isBoolean })),
  dropEnd: command<{ readonly read: number }>(isShape({ read: isNumber })),
  dropFailed: command<{ readonly read: number; readonly reason: string }>(
    isShape({ read: isNumber, reason: isString }),
  ),
  readDropped: notification<FileRequest>(
    isShape<FileRequest>({ read: isNumber, drop: isNumber, file: isNumber }),
  ),
  /** Notifies the page that the files of a drop are no longer needed. */
  dropReleased: notification<{ readonly drop: number }>(isShape({ drop: isNumber })),
} as const;

export interface DropStrings {
  /** Label of the upload button. */
  readonly upload: string;
  /**
   * Tooltip of the upload button, which explains how to drop files, including from the Explorer.
   */
  readonly uploadHint: string;
  /** Shown while files are dragged over the panel. */
  readonly dropHere: string;
  readonly mayNotWrite: string;
}
