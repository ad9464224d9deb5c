import {
  isBoolean,
  isListOf,
  isNumber,
  isOptional,
  isShape,
  isString,
  isUndefined,
} from './guards';
import { command, notification, request } from './protocol';
import { recoveryMessages } from './recoveryAction';

/** Third-party Markdown, or its beginning if it is long. */
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
  /** Platform, such as `linux/arm64`; empty if the archive is for all platforms. */
  readonly platform: string;
  /** Creation time in milliseconds since 1970. */
  readonly uploadedAt?: number | undefined;
  /** Size, such as `1.2 MB`; absent if it isn't known. */
  readonly size?: string | undefined;
}

export interface PageVersion {
  readonly version: string;
  /** The owner's deprecation message. */
  readonly deprecated?: string | undefined;
  /** Creation time in milliseconds since 1970. */
  readonly createdAt?: number | undefined;
  readonly files: readonly PageFile[];
}

/** A fact about the item, with its label. */
export interface PageFact {
  readonly name: string;
  readonly value: string;
  /** True if the value is an ID or file name instead of text. */
  readonly isCode: boolean;
}

/** A registry item as its page shows it. All strings are user-provided. */
export interface PageItem {
  /** ID in the form `namespace:name`. */
  readonly id: string;
  readonly name: string;
  /** Owner of the item. */
  readonly owner: string;
  /** Properties of the item, one word each. */
  readonly badges: readonly string[];
  /** The owner's deprecation message. */
  readonly deprecated?: string | undefined;
  /** URL that the item specifies, if it is safe to open. */
  readonly url?: string | undefined;
  readonly description: string;
  readonly text?: PageText | undefined;
  readonly facts: readonly PageFact[];
  /** Models of a module; absent for all other items. */
  readonly models?: readonly PageModel[] | undefined;
  /** Versions, newest first. */
  readonly versions: readonly PageVersion[];
  /** True if the item is an ML model. */
  readonly isModel: boolean;
  readonly canDeploy: boolean;
  /** True if the item has no versions, and the key can upload the first one. */
  readonly canUpload: boolean;
  /** True if the item's versions have metrics, as the versions of models do. */
  readonly hasFigures: boolean;
}

/** An item and the time when it was loaded. */
export interface PageReading {
  readonly item: PageItem;
  /** Creation time in milliseconds since 1970. */
  readonly readAt: number;
  /**
   * True if the item might have changed since it was loaded, in which case the page must request it
   * again.
   */
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
  /** Size, such as `1.2 MB`. */
  readonly size: string;
}

/** Labeled numbers in a table. */
export interface PageTable {
  readonly caption: string;
  readonly head: readonly string[];
  /** Rows of cells. The first cell of each row is its heading. */
  readonly rows: readonly (readonly string[])[];
}

/** Metrics of a model version. All strings are user-provided. */
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
  platform: isString,
  uploadedAt: isOptional(isNumber),
  size: isOptional(isString),
});
const isModel = isShape<PageModel>({
  api: isString,
  model: isString,
  description: isString,
  text: isOptional(isText),
});
const isVersion = isShape<PageVersion>({
  version: isString,
  deprecated: isOptional(isString),
  createdAt: isOptional(isNumber),
  files: isListOf(isFile),
});
const isFact = isShape<PageFact>({ name: isString, value: isString, isCode: isBoolean });
const isItem = isShape<PageItem>({
  id: isString,
  name: isString,
  owner: isString,
  badges: isListOf(isString),
  deprecated: isOptional(isString),
  url: isOptional(isString),
  description: isString,
  text: isOptional(isText),
  facts: isListOf(isFact),
  models: isOptional(isListOf(isModel)),
  versions: isListOf(isVersion),
  isModel: isBoolean,
  canDeploy: isBoolean,
  hasFigures: isBoolean,
  canUpload: isBoolean,
});
const isEntry = isShape<PageEntry>({ name: isString, size: isString });
const isTable = isShape<PageTable>({
  caption: isString,
  head: isListOf(isString),
  rows: isListOf(isListOf(isString)),
});
const isPageMetrics = isShape<PageMetrics>({
  version: isString,
  facts: isListOf(isFact),
  tables: isListOf(isTable),
  files: isListOf(isEntry),
  problem: isOptional(isString),
});
const isReading = isShape<PageReading>({ item: isItem, readAt: isNumber, isOld: isBoolean });
const isVersionFiles = isShape<VersionFiles>({ version: isString, files: isListOf(isFile) });

interface Start {
  /** BCP 47 language tag for formatting times and numbers. */
  readonly locale: string;
  /** Identifies the item of the page. The host reads it; the webview only saves it. */
  readonly panel: string;
  /**
   * Version whose metrics the page must show now; if absent, the page shows the previously selected
   * version.
   */
  readonly version?: string | undefined;
}

/** Messages between the page of a registry item and its host. */
export const registryItemProtocol = {
  /** Handshake: the page has started and requests the information that it needs before any data. */
  ready: request(
    isUndefined,
    isShape<Start>({
      locale: isString,
      panel: isString,
      version: isOptional(isString),
    }),
  ),
  /** Returns the item. With `fresh`, the host doesn't use its cache. */
  load: request(isShape<{ readonly fresh: boolean }>({ fresh: isBoolean }), isReading),
  /**
   * Returns information about archives that isn't part of the item: their sizes and, unless the
   * item is a module, their files.
   */
  readFiles: request(isUndefined, isListOf(isVersionFiles)),
  /**
   * Returns the metrics of a model version or, if no version is specified, of the newest version.
   */
  readFigures: request(
    isShape<{ readonly version?: string | undefined }>({ version: isOptional(isString) }),
    isPageMetrics,
  ),
  /** Reports that the page received the focus. The host then reloads the item if it is outdated. */
  focused: command(isUndefined),
  copyId: command(isUndefined),
  /** Opens the URL that the item specifies. */
  openUrl: command(isUndefined),
  /** Opens a URL from a description. */
  openLink: command(isShape<{ readonly url: string }>({ url: isString })),
  /**
   * Shows the complete source of a model's description or, if no model is specified, of the item's
   * description.
   */
  openText: command(
    isShape<{ readonly model?: string | undefined }>({ model: isOptional(isString) }),
  ),
  deploy: command(
    isShape<{ readonly version?: string | undefined }>({ version: isOptional(isString) }),
  ),
  upload: command(isUndefined),
  download: command(isShape<{ readonly version: string }>({ version: isString })),
  ...recoveryMessages,
  /** Reports that the item, or the permission to read it, changed. */
  changed: notification(isUndefined),
  /** Reports that the page must show the metrics of a version. */
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
  /** Version whose metrics are shown; if absent, the newest version. */
  readonly version?: string | undefined;
}

export const isRegistryItemPageState = isShape<RegistryItemPageState>({
  panel: isString,
  unfolded: isListOf(isString),
  scrolled: isNumber,
  version: isOptional(isString),
});
