import { isBoolean, isBytes, isListOf, isNothing, isNumber, isShape, isString } from '../guards';
import { command, notification, request } from '../protocol';

/** A file of this machine that was dropped into the panel. */
export interface DroppedFile {
  /** Where it is in what was dropped, with `/` between folders. */
  readonly path: string;
  readonly sizeBytes: number;
  /** Milliseconds since 1970. */
  readonly modifiedAt: number;
}

export interface DroppedFiles {
  /** Names the drop, whose files the page keeps until it is released. */
  readonly drop: number;
  readonly files: readonly DroppedFile[];
  /** Paths of hidden files and folders, which are left out. */
  readonly hidden: readonly string[];
  /** Paths of files and folders that the system does not let be read. */
  readonly unreadable: readonly string[];
  /** There are more than a drop may have: then there are none here. */
  readonly tooMany: boolean;
}

/** Which file is to be read, and what its bytes are sent under. */
export interface WantedFile {
  readonly read: number;
  readonly drop: number;
  /** Its place in the drop. */
  readonly file: number;
}

/** More than these are better uploaded from a folder. */
export const MOST_DROPPED_FILES = 10_000;
/** As much of a file goes into one message. */
export const DROPPED_PIECE_BYTES = 1024 * 1024;

const isDroppedFile = isShape<DroppedFile>({
  path: isString,
  sizeBytes: isNumber,
  modifiedAt: isNumber,
});

/** Files that a person brings into the panel. */
export const dropMessages = {
  /** Asks for files and folders in the dialogs of VS Code. */
  chooseFiles: command(isNothing),
  /** Files of this machine, whose bytes only the page can read. */
  dropFiles: command<DroppedFiles>(
    isShape<DroppedFiles>({
      ...{ drop: isNumber, files: isListOf(isDroppedFile) },
      ...{ hidden: isListOf(isString), unreadable: isListOf(isString), tooMany: isBoolean },
    }),
  ),
  /** Files of VS Code's explorer, which the host reads itself. */
  dropUris: command<{ readonly uris: readonly string[] }>(isShape({ uris: isListOf(isString) })),
  /** The next bytes of a file that was wanted; answered when more are wanted. */
  dropBytes: request<
    { readonly read: number; readonly bytes: ArrayBuffer },
    { readonly more: boolean }
  >(isShape({ read: isNumber, bytes: isBytes }), isShape({ more: isBoolean })),
  dropEnd: command<{ readonly read: number }>(isShape({ read: isNumber })),
  dropFailed: command<{ readonly read: number; readonly reason: string }>(
    isShape({ read: isNumber, reason: isString }),
  ),
  readDropped: notification<WantedFile>(
    isShape<WantedFile>({ read: isNumber, drop: isNumber, file: isNumber }),
  ),
  /** Nobody asks for the files of a drop any more. */
  dropReleased: notification<{ readonly drop: number }>(isShape({ drop: isNumber })),
} as const;

export interface DropStrings {
  /** On the button. */
  readonly upload: string;
  /** What else there is to the button: dropping, and how from the explorer. */
  readonly uploadHint: string;
  /** While files are over the panel. */
  readonly dropHere: string;
  readonly mayNotWrite: string;
}
