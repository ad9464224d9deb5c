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
import { recoveryMessages } from './recoveryAction';

/** Third-party Markdown, or the beginning of it. */
export interface PageText {
  readonly markdown: string;
  /** True if the text is longer than a page shows. */
  readonly isCut: boolean;
}

/** A kind of resource that a module provides. */
export interface PageModel {
  readonly api: string;
  readonly model: string;
  readonly description: string;
  readonly text?: PageText | undefined;
}

/** An archive of a version. */
export interface PageFile {
  /** For example `linux/arm64`; empty for an archive for all platforms. */
  readonly platform: string;
  /** Milliseconds since 1970. */
  readonly uploadedAt?: number | undefined;
  /** For example `1.2 MB`; absent if unknown. */
  readonly size?: string | undefined;
}

export interface PageVersion {
  readonly version: string;
  /** The owner's deprecation message. */
  readonly deprecated?: string | undefined;
  /** Milliseconds since 1970. */
  readonly createdAt?: number | undefined;
  readonly files: readonly PageFile[];
}

/** A fact about the item, with its label. */
export interface PageFact {
  readonly name: string;
  readonly value: string;
  /** True for an ID or file instead of text. */
  readonly isCode: boolean;
}

/** A registry item as its page shows it. All texts are user-provided. */
export interface PageItem {
  /** `namespace:name`. */
  readonly id: string;
  readonly name: string;
  /** Owner of the item. */
  readonly owner: string;
  /** Properties of the item, one word each. */
  readonly badges: readonly string[];
  /** The owner's deprecation message. */
  readonly deprecated?: string | undefined;
  /** Its own URL, if it is safe to open. */
  readonly url?: string | undefined;
  readonly description: string;
  readonly text?: PageText | undefined;
  readonly facts: readonly PageFact[];
  /** For a module; absent for all other items. */
  readonly models?: readonly PageModel[] | undefined;
  /** Newest first. */
  readonly versions: readonly PageVersion[];
  readonly canDeploy: boolean;
  /** True if its versions have metrics, like those of models. */
  readonly hasFigures: boolean;
}

/** An item and the time when it was loaded. */
export interface PageReading {
  readonly item: PageItem;
  /** Milliseconds since 1970. */
  readonly readAt: number;
  /** True if the item might have changed since, so that the page must request it again. */
  readonly isOld: boolean;
}

/** Information about the archives of one version. */
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

/** Numbers with their labels. */
export interface PageTable {
  readonly caption: string;
  readonly head: readonly string[];
  /** The first cell of each row is its heading. */
  readonly rows: readonly (readonly string[])[];
}

/** Metrics of a model version. All texts are user-provided. */
export interface PageMetrics {
  readonly version: string;
  /** Quality metrics; empty if there are none. */
  readonly facts: readonly PageFact[];
  readonly tables: readonly PageTable[];
  readonly files: readonly PageEntry[];
  /** Reason why there are no metrics, if the archive couldn't be read. */
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
const isPageMetrics = isShape<PageMetrics>({
  ...{ version: isString, facts: isListOf(isFact) },
  ...{ tables: isListOf(isTable), files: isListOf(isEntry), problem: isOptional(isString) },
});
const isReading = isShape<PageReading>({ item: isItem, readAt: isNumber, isOld: isBoolean });
const isVersionFiles = isShape<VersionFiles>({ version: isString, files: isListOf(isFile) });

interface Start {
  readonly strings: RegistryItemStrings;
  /** A BCP 47 tag for times and numbers. */
  readonly locale: string;
  /** Identifies the item of the page. The host reads it; the webview only saves it. */
  readonly panel: string;
  /** The version whose metrics the page must show now; if absent, the previously selected one. */
  readonly version?: string | undefined;
}

const isStrings: Guard<RegistryItemStrings> = (value): value is RegistryItemStrings =>
  isRecord(value);

/** Messages between the page of a registry item and its host. */
export const registryItemProtocol = {
  /** The handshake: the page has started and requests what it needs before any data. */
  ready: request(
    isNothing,
    isShape<Start>({
      ...{ strings: isStrings, locale: isString, panel: isString },
      version: isOptional(isString),
    }),
  ),
  /** Returns the item; `fresh` bypasses the cache. */
  load: request(isShape<{ readonly fresh: boolean }>({ fresh: isBoolean }), isReading),
  /**
   * Returns information about archives that the item doesn't contain: sizes, and the files of items
   * other than modules.
   */
  readFiles: request(isNothing, isListOf(isVersionFiles)),
  /** Returns the metrics of a model version; if absent, of the newest. */
  readFigures: request(
    isShape<{ readonly version?: string | undefined }>({ version: isOptional(isString) }),
    isPageMetrics,
  ),
  /** The page got the focus: an outdated item is reloaded. */
  focused: command(isNothing),
  copyId: command(isNothing),
  /** Opens the item's own URL. */
  openUrl: command(isNothing),
  /** Opens a URL from a description. */
  openLink: command(isShape<{ readonly url: string }>({ url: isString })),
  /** Shows the whole source of a description: that of a model or, without one, of the item. */
  openText: command(
    isShape<{ readonly model?: string | undefined }>({ model: isOptional(isString) }),
  ),
  deploy: command(
    isShape<{ readonly version?: string | undefined }>({ version: isOptional(isString) }),
  ),
  download: command(isShape<{ readonly version: string }>({ version: isString })),
  ...recoveryMessages,
  /** The item, or the permission to read it, changed. */
  changed: notification(isNothing),
  /** The metrics of this version must be shown. */
  chosen: notification(isShape<{ readonly version: string }>({ version: isString })),
} as const;

export type RegistryItemProtocol = typeof registryItemProtocol;

/** State that the page saves with `setState`. */
export interface RegistryItemPageState {
  readonly panel: string;
  /** Names of the expanded models. */
  readonly unfolded: readonly string[];
  /** Scroll position in pixels. */
  readonly scrolled: number;
  /** The version whose metrics are shown; the newest if absent. */
  readonly version?: string | undefined;
}

export const isRegistryItemPageState = isShape<RegistryItemPageState>({
  ...{ panel: isString, unfolded: isListOf(isString), scrolled: isNumber },
  version: isOptional(isString),
});
