import {
  type Guarded,
  isBoolean,
  isBytes,
  isListOf,
  isUndefined,
  isNumber,
  isShape,
  isString,
} from '../guards';
import { command, notification, request } from '../protocol';

/** Maximum number of dropped files. A larger number of files should be uploaded from a folder. */
export const MAX_DROPPED_FILES = 10_000;
/** Number of bytes of a file to send per message. */
export const DROPPED_CHUNK_BYTES = 1024 * 1024;

const isDroppedFile = isShape({
  /** Path of the file within the drop, with `/` between folders. */
  path: isString,
  sizeBytes: isNumber,
  /** Modification time in milliseconds since 1970. */
  modifiedAt: isNumber,
});
/** A file on this computer that the user dropped into the panel. */
export type DroppedFile = Guarded<typeof isDroppedFile>;

const isDroppedFiles = isShape({
  /** Identifies the drop. The page retains the drop's files until the drop is released. */
  drop: isNumber,
  files: isListOf(isDroppedFile),
  /** Paths of hidden files and folders, which are skipped. */
  hidden: isListOf(isString),
  /** Paths of files and folders that the operating system doesn't allow to be read. */
  unreadable: isListOf(isString),
  /** True if there are more files than allowed; the list is then empty. */
  tooMany: isBoolean,
});
export type DroppedFiles = Guarded<typeof isDroppedFiles>;

const isFileRequest = isShape({
  read: isNumber,
  drop: isNumber,
  /** Index of the file in the drop. */
  file: isNumber,
});
/**
 * Requests the bytes of a file. Messages that contain the bytes must also contain this request's
 * `read` ID.
 */
export type FileRequest = Guarded<typeof isFileRequest>;

/** Messages about files that the user adds to the panel. */
export const dropMessages = {
  /** Prompts for files and folders with VS Code dialogs. */
  chooseFiles: command(isUndefined),
  /** Reports dropped files on this computer. Only the page can read their bytes. */
  dropFiles: command<DroppedFiles>(isDroppedFiles),
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
  readDropped: notification<FileRequest>(isFileRequest),
  /** Notifies the page that a drop's files are no longer needed. */
  dropReleased: notification<{ readonly drop: number }>(isShape({ drop: isNumber })),
} as const;
