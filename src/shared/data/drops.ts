import { isBoolean, isBytes, isListOf, isNothing, isNumber, isShape, isString } from '../guards';
import { command, notification, request } from '../protocol';

/** A file of this computer that was dropped into the panel. */
export interface DroppedFile {
  /** Its path within the drop, with `/` between folders. */
  readonly path: string;
  readonly sizeBytes: number;
  /** Milliseconds since 1970. */
  readonly modifiedAt: number;
}

export interface DroppedFiles {
  /** Identifies the drop, whose files the page keeps until it is released. */
  readonly drop: number;
  readonly files: readonly DroppedFile[];
  /** Paths of hidden files and folders, which are skipped. */
  readonly hidden: readonly string[];
  /** Paths of files and folders that the operating system doesn't allow to be read. */
  readonly unreadable: readonly string[];
  /** True if there are more files than allowed; the list is then empty. */
  readonly tooMany: boolean;
}

/** The file to read, and the ID for sending its bytes. */
export interface FileRequest {
  readonly read: number;
  readonly drop: number;
  /** Its index in the drop. */
  readonly file: number;
}

/** Maximum number of dropped files; larger sets should be uploaded from a folder. */
export const MAX_DROPPED_FILES = 10_000;
/** Size of the file chunks per message. */
export const DROPPED_PIECE_BYTES = 1024 * 1024;

const isDroppedFile = isShape<DroppedFile>({
  path: isString,
  sizeBytes: isNumber,
  modifiedAt: isNumber,
});

/** Files that the user adds to the panel. */
export const dropMessages = {
  /** Prompts for files and folders with VS Code dialogs. */
  chooseFiles: command(isNothing),
  /** Files of this computer, whose bytes only the page can read. */
  dropFiles: command<DroppedFiles>(
    isShape<DroppedFiles>({
      ...{ drop: isNumber, files: isListOf(isDroppedFile) },
      ...{ hidden: isListOf(isString), unreadable: isListOf(isString), tooMany: isBoolean },
    }),
  ),
  /** Files of VS Code's explorer, which the host reads itself. */
  dropUris: command<{ readonly uris: readonly string[] }>(isShape({ uris: isListOf(isString) })),
  /** The next bytes of a requested file; resolves when more are needed. */
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
  /** The files of a drop are no longer needed. */
  dropReleased: notification<{ readonly drop: number }>(isShape({ drop: isNumber })),
} as const;

export interface DropStrings {
  /** Label of the button. */
  readonly upload: string;
  /** Tooltip of the button: dropping files, and how to do that from the explorer. */
  readonly uploadHint: string;
  /** Shown while files are dragged over the panel. */
  readonly dropHere: string;
  readonly mayNotWrite: string;
}
