import {
  type Guard,
  isBoolean,
  isListOf,
  isNothing,
  isNumber,
  isOptional,
  isRecord,
  isShape,
  isString,
} from './guards';
import { command, notification, request } from './protocol';
import type { RegistryItemStrings } from './registryItemStrings';
import { wayOutMessages } from './wayOut';

/** Markdown of other people, or the beginning of it. */
export interface PageText {
  readonly markdown: string;
  /** More was written than a page shows. */
  readonly isCut: boolean;
}

/** A kind of resource that a module makes. */
export interface PageModel {
  readonly api: string;
  readonly model: string;
  readonly description: string;
  readonly text?: PageText | undefined;
}

/** An archive of a version. */
export interface PageFile {
  /** Such as `linux/arm64`; empty where there is one for all. */
  readonly platform: string;
  /** Milliseconds since 1970. */
  readonly uploadedAt?: number | undefined;
  /** Such as `1.2 MB`; absent where it is not told. */
  readonly size?: string | undefined;
}

export interface PageVersion {
  readonly version: string;
  /** What the owner says to those who should not use it any more. */
  readonly deprecated?: string | undefined;
  /** Milliseconds since 1970. */
  readonly createdAt?: number | undefined;
  readonly files: readonly PageFile[];
}

/** Something that is known of the item, with its name, in words. */
export interface PageFact {
  readonly name: string;
  readonly value: string;
  /** An id or a file, rather than words. */
  readonly isCode: boolean;
}

/** A registry item as its page shows it. All of it is what other people wrote. */
export interface PageItem {
  /** `namespace:name`. */
  readonly id: string;
  readonly name: string;
  /** Whose it is. */
  readonly owner: string;
  /** What it is, in a word each. */
  readonly badges: readonly string[];
  /** What the owner says to those who should not use it any more. */
  readonly deprecated?: string | undefined;
  /** Its own address, where that may be opened. */
  readonly url?: string | undefined;
  readonly description: string;
  readonly text?: PageText | undefined;
  readonly facts: readonly PageFact[];
  /** Of a module; absent for everything else. */
  readonly models?: readonly PageModel[] | undefined;
  /** The newest first. */
  readonly versions: readonly PageVersion[];
  readonly canDeploy: boolean;
  /** Whether its versions tell how good they are, as those of models do. */
  readonly hasFigures: boolean;
}

/** An item and its age. */
export interface PageReading {
  readonly item: PageItem;
  /** Milliseconds since 1970. */
  readonly readAt: number;
  /** Says that the item may have changed since, so that the page is to ask for it again. */
  readonly isOld: boolean;
}

/** What is told of the archives of one version. */
export interface VersionFiles {
  readonly version: string;
  readonly files: readonly PageFile[];
}

/** A file of an archive. */
export interface PageEntry {
  readonly name: string;
  /** Such as `1.2 MB`. */
  readonly size: string;
}

/** Numbers with what they are of, in words. */
export interface PageTable {
  readonly caption: string;
  readonly head: readonly string[];
  /** The first cell of each says what it is about. */
  readonly rows: readonly (readonly string[])[];
}

/** What a version of a model tells of itself. All of it is what its makers wrote. */
export interface PageFigures {
  readonly version: string;
  /** How good it is; empty where it does not tell. */
  readonly facts: readonly PageFact[];
  readonly tables: readonly PageTable[];
  readonly files: readonly PageEntry[];
  /** Why it is not known how good it is, where its archive could not be read. */
  readonly problem?: string | undefined;
}

const isText = isShape<PageText>({ markdown: isString, isCut: isBoolean });
const isFile = isShape<PageFile>({
  ...{ platform: isString, uploadedAt: isOptional(isNumber), size: isOptional(isString) },
});
const isModel = isShape<PageModel>({
  ...{ api: isString, model: isString, description: isString, text: isOptional(isText) },
});
const isVersion = isShape<PageVersion>({
  ...{ version: isString, deprecated: isOptional(isString) },
  ...{ createdAt: isOptional(isNumber), files: isListOf(isFile) },
});
const isFact = isShape<PageFact>({ name: isString, value: isString, isCode: isBoolean });
const isItem = isShape<PageItem>({
  ...{ id: isString, name: isString, owner: isString, badges: isListOf(isString) },
  ...{ deprecated: isOptional(isString), url: isOptional(isString), description: isString },
  ...{ text: isOptional(isText), facts: isListOf(isFact), models: isOptional(isListOf(isModel)) },
  ...{ versions: isListOf(isVersion), canDeploy: isBoolean, hasFigures: isBoolean },
});
const isEntry = isShape<PageEntry>({ name: isString, size: isString });
const isTable = isShape<PageTable>({
  ...{ caption: isString, head: isListOf(isString), rows: isListOf(isListOf(isString)) },
});
const isFigures = isShape<PageFigures>({
  ...{ version: isString, facts: isListOf(isFact) },
  ...{ tables: isListOf(isTable), files: isListOf(isEntry), problem: isOptional(isString) },
});
const isReading = isShape<PageReading>({ item: isItem, readAt: isNumber, isOld: isBoolean });
const isVersionFiles = isShape<VersionFiles>({ version: isString, files: isListOf(isFile) });

interface Start {
  readonly strings: RegistryItemStrings;
  /** A BCP 47 tag for times and numbers. */
  readonly locale: string;
  /** Says of which item the page is. The host reads it, the webview only keeps it. */
  readonly panel: string;
  /** The version whose figures the page is to show now; otherwise the one that was chosen before. */
  readonly version?: string | undefined;
}

const isStrings: Guard<RegistryItemStrings> = (value): value is RegistryItemStrings =>
  isRecord(value);

/** What the page of a registry item and its host say to each other. */
export const registryItemProtocol = {
  /** The handshake: the page is there and wants what it needs before any data. */
  ready: request(
    isNothing,
    isShape<Start>({
      ...{ strings: isStrings, locale: isString, panel: isString },
      version: isOptional(isString),
    }),
  ),
  /** The item as it is; `fresh` asks the service for it again. */
  load: request(isShape<{ readonly fresh: boolean }>({ fresh: isBoolean }), isReading),
  /** What is told of archives where the item does not tell it: sizes, and the files of what is no module. */
  readFiles: request(isNothing, isListOf(isVersionFiles)),
  /** What a version of a model tells of itself; without one the newest. */
  readFigures: request(
    isShape<{ readonly version?: string | undefined }>({ version: isOptional(isString) }),
    isFigures,
  ),
  /** The page got the focus: an item that is old is read again. */
  focused: command(isNothing),
  copyId: command(isNothing),
  /** Opens the item's own address. */
  openUrl: command(isNothing),
  /** Opens an address that stands in a description. */
  openLink: command(isShape<{ readonly url: string }>({ url: isString })),
  /** Shows all of a description as it was written: that of a model, or without one of the item. */
  openText: command(
    isShape<{ readonly model?: string | undefined }>({ model: isOptional(isString) }),
  ),
  deploy: command(
    isShape<{ readonly version?: string | undefined }>({ version: isOptional(isString) }),
  ),
  download: command(isShape<{ readonly version: string }>({ version: isString })),
  ...wayOutMessages,
  /** The item, or what may be read, is another now. */
  changed: notification(isNothing),
  /** The figures of this version are to be shown. */
  chosen: notification(isShape<{ readonly version: string }>({ version: isString })),
} as const;

export type RegistryItemProtocol = typeof registryItemProtocol;

/** What the page keeps in `setState`. */
export interface RegistryItemPageState {
  readonly panel: string;
  /** The models that are unfolded, by their names. */
  readonly unfolded: readonly string[];
  /** How far it is scrolled, in pixels. */
  readonly scrolled: number;
  /** Whose figures are shown; those of the newest version when absent. */
  readonly version?: string | undefined;
}

export const isRegistryItemPageState = isShape<RegistryItemPageState>({
  ...{ panel: isString, unfolded: isListOf(isString), scrolled: isNumber },
  version: isOptional(isString),
});
