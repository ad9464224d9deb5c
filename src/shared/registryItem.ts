import {
  type Guarded,
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

const isText = isShape({
  markdown: isString,
  /** True if the text was shortened because it is too long for the page. */
  isCut: isBoolean,
});
/** Third-party Markdown, or its beginning if it is long. */
export type PageText = Guarded<typeof isText>;

const isFile = isShape({
  /** Platform, such as `linux/arm64`; empty if the archive is for all platforms. */
  platform: isString,
  /** Time in milliseconds since 1970. */
  uploadedAt: isOptional(isNumber),
  /** Size, such as `1.2 MB`; absent if it isn't known. */
  size: isOptional(isString),
});
/** An archive of a version. */
export type PageFile = Guarded<typeof isFile>;

const isModel = isShape({
  api: isString,
  model: isString,
  description: isString,
  text: isOptional(isText),
});
/** A kind of resource that a module provides. */
export type PageModel = Guarded<typeof isModel>;

const isVersion = isShape({
  version: isString,
  /** The owner's deprecation message. */
  deprecated: isOptional(isString),
  /** Time in milliseconds since 1970. */
  createdAt: isOptional(isNumber),
  files: isListOf(isFile),
});
export type PageVersion = Guarded<typeof isVersion>;

const isFact = isShape({
  name: isString,
  value: isString,
  /** True if the value is an ID or file name instead of text. */
  isCode: isBoolean,
});
/** A fact about the item, with its label. */
export type PageFact = Guarded<typeof isFact>;

const isItem = isShape({
  /** ID in the form `namespace:name`. */
  id: isString,
  name: isString,
  /** Owner of the item. */
  owner: isString,
  /** Properties of the item, one word each. */
  badges: isListOf(isString),
  /** The owner's deprecation message. */
  deprecated: isOptional(isString),
  /** URL that the item specifies, if it is safe to open. */
  url: isOptional(isString),
  description: isString,
  text: isOptional(isText),
  facts: isListOf(isFact),
  /** A module's models; absent for all other items. */
  models: isOptional(isListOf(isModel)),
  /** Versions, newest first. */
  versions: isListOf(isVersion),
  canDeploy: isBoolean,
  /** True if the item has no versions, and the key can upload the first one. */
  canUpload: isBoolean,
  /** Reason that nothing can be deployed or uploaded; absent if changes are allowed. */
  readOnly: isOptional(isString),
  /** True if the item's versions have metrics, as the versions of models do. */
  hasMetrics: isBoolean,
});
/** A registry item as its page shows it. All strings are user-provided. */
export type PageItem = Guarded<typeof isItem>;

/** A file of an archive. */
const isEntry = isShape({
  name: isString,
  /** Size, such as `1.2 MB`. */
  size: isString,
});

const isTable = isShape({
  caption: isString,
  head: isListOf(isString),
  /** Rows of cells. The first cell of each row is its heading. */
  rows: isListOf(isListOf(isString)),
});
/** Labeled numbers in a table. */
export type PageTable = Guarded<typeof isTable>;

const isPageMetrics = isShape({
  version: isString,
  /** Quality metrics; empty if there are none. */
  facts: isListOf(isFact),
  tables: isListOf(isTable),
  files: isListOf(isEntry),
  /** Reason why there are no metrics, if the archive couldn't be read. */
  problem: isOptional(isString),
});
/** Metrics for a model version. All strings are user-provided. */
export type PageMetrics = Guarded<typeof isPageMetrics>;

const isReading = isShape({
  item: isItem,
  /** Time in milliseconds since 1970. */
  readAt: isNumber,
  /**
   * True if the item might have changed since it was loaded, in which case the page must request it
   * again.
   */
  isOld: isBoolean,
});
/** An item and the time when it was loaded. */
export type PageReading = Guarded<typeof isReading>;

const isVersionFiles = isShape({
  version: isString,
  files: isListOf(isFile),
});
/** Information about one version's archives. */
export type VersionFiles = Guarded<typeof isVersionFiles>;

const isStart = isShape({
  /** BCP 47 language tag for formatting times and numbers. */
  locale: isString,
  /** Identifies the page's item. The host reads it; the webview only saves it. */
  panel: isString,
  /**
   * Version whose metrics the page must show now; if absent, the page shows the previously selected
   * version.
   */
  version: isOptional(isString),
});

/** Messages between a registry item's page and its host. */
export const registryItemProtocol = {
  /**
   * Handshake. Reports that the page has started, and requests the information that it needs before
   * any data.
   */
  ready: request(isUndefined, isStart),
  /** Returns the item. With `fresh`, the host doesn't use its cache. */
  load: request(isShape({ fresh: isBoolean }), isReading),
  /**
   * Returns information about archives that isn't part of the item: their sizes and, unless the
   * item is a module, their files.
   */
  readFiles: request(isUndefined, isListOf(isVersionFiles)),
  /**
   * Returns the metrics for a model version or, if no version is specified, for the newest version.
   */
  loadMetrics: request(isShape({ version: isOptional(isString) }), isPageMetrics),
  /** Reports that the page received focus. The host then reloads the item if it is stale. */
  focused: command(isUndefined),
  copyId: command(isUndefined),
  /** Opens the URL that the item specifies. */
  openUrl: command(isUndefined),
  /** Opens a URL from a description. */
  openLink: command(isShape({ url: isString })),
  /**
   * Shows the complete source of a model's description or, if no model is specified, of the item's
   * description.
   */
  openText: command(isShape({ model: isOptional(isString) })),
  deploy: command(isShape({ version: isOptional(isString) })),
  upload: command(isUndefined),
  download: command(isShape({ version: isString })),
  ...recoveryMessages,
  /** Reports that the item, or the permission to read it, changed. */
  changed: notification(isUndefined),
  /** Reports that the page must show the metrics for a version. */
  chosen: notification(isShape({ version: isString })),
} as const;

export type RegistryItemProtocol = typeof registryItemProtocol;

export const isRegistryItemPageState = isShape({
  panel: isString,
  /** Names of the expanded models. */
  unfolded: isListOf(isString),
  /** Scroll position in pixels. */
  scrolled: isNumber,
  /** Version whose metrics are shown; if absent, the newest version. */
  version: isOptional(isString),
});
/** State that the page saves with `setState`. */
export type RegistryItemPageState = Guarded<typeof isRegistryItemPageState>;
