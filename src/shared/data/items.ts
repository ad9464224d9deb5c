import {
  type Guarded,
  isBoolean,
  isBytes,
  isListOf,
  isNumber,
  isOneOf,
  isShape,
  isString,
} from '../guards';
import { command, notification, request } from '../protocol';
import { isBoxView } from './boxes';

/** Tabs whose items have content. */
const placements = ['images', 'pointClouds', 'files'] as const;
export type ItemPlacement = (typeof placements)[number];
const isPlacement = isOneOf(...placements);

const isItemView = isShape({
  id: isString,
  /** The item's zero-based index in the list, which doesn't change within a generation. */
  index: isNumber,
  /** File name, or a substitute if the item has none. */
  name: isString,
  /** Time of capture, in milliseconds since 1970. */
  at: isNumber,
  sizeBytes: isNumber,
  /** File extension including the period, in lowercase. */
  extension: isString,
  mimeType: isString,
  /** Machine, part, and component that captured the item. */
  origin: isString,
  tags: isListOf(isString),
  boxes: isListOf(isBoxView),
  /** Names of the datasets that contain the item. */
  datasets: isListOf(isString),
});
/**
 * An item as the webview shows it. All strings are user-provided and must be shown as plain text.
 */
export type ItemView = Guarded<typeof isItemView>;

const isItemSlice = isShape({
  start: isNumber,
  /**
   * Items in the range. At the end of the list, or if not all items are loaded yet, there are fewer
   * items than requested.
   */
  items: isListOf(isItemView),
  /**
   * Known number of items in the list. It is smaller than the tab's count if items were deleted in
   * the meantime.
   */
  count: isNumber,
  /** Number of loaded items. If not all items are loaded, another request continues loading. */
  read: isNumber,
});
export type ItemSlice = Guarded<typeof isItemSlice>;

const isIndexRange = isShape({
  start: isNumber,
  end: isNumber,
});
/** A range of indexes, end exclusive. */
export type IndexRange = Guarded<typeof isIndexRange>;

export const isSelectionRef = isShape({
  generation: isNumber,
  placement: isPlacement,
  /** Ranges of selected items, sorted and disjoint. */
  ranges: isListOf(isIndexRange),
  /** True if all items that match the filter are selected, including items that aren't loaded. */
  all: isBoolean,
});
/** The items that the user has selected. */
export type SelectionRef = Guarded<typeof isSelectionRef>;

const isItemSearch = isShape({
  generation: isNumber,
  placement: isPlacement,
  ids: isListOf(isString),
  end: isNumber,
});
/** A search for items by ID in a list, up to index `end`. */
export type ItemSearch = Guarded<typeof isItemSearch>;

const isItemId = isShape({ id: isString });
const isContent = isShape({ bytes: isBytes });

const isItemRange = isShape({
  generation: isNumber,
  placement: isPlacement,
  start: isNumber,
  end: isNumber,
});
/** A range of items in a listing, end exclusive. */
export type ItemRange = Guarded<typeof isItemRange>;

const isItemMatches = isShape({
  indexes: isListOf(isNumber),
  /** True if the list is loaded as far as requested. Another request would not find more items. */
  isRead: isBoolean,
});
export type ItemMatches = Guarded<typeof isItemMatches>;

const isItemFact = isShape({
  name: isString,
  value: isString,
});
/** A detail of an item, with its label. */
export type ItemFact = Guarded<typeof isItemFact>;

/**
 * Messages about items and their content. A request for a different generation fails with
 * `conflict`.
 */
export const itemMessages = {
  /**
   * Returns items, loading at most one more page. For items further down, callers must repeat the
   * request until these items are available.
   */
  items: request(isItemRange, isItemSlice),
  /** Returns the IDs of the selected items, in list order. */
  identifyItems: request(isSelectionRef, isShape({ ids: isListOf(isString) })),
  /** Returns the current positions of items. Like `items`, loads at most one more page. */
  findItems: request(isItemSearch, isItemMatches),
  /**
   * Returns the content of an image that is small enough for a thumbnail. The page cancels the
   * request when the image is no longer visible.
   */
  thumbnail: request(isItemId, isContent),
  /**
   * Returns an item's complete content. Fails with the reason if the content is too large to show.
   */
  content: request(isItemId, isContent),
  /** Returns details about an item that its view doesn't contain. */
  facts: request(
    isItemId,
    isShape({
      facts: isListOf(isItemFact),
    }),
  ),
  /** Opens an item's content as a VS Code document. */
  openContent: command(isItemId),
  /** Copies text to the clipboard. */
  copyText: command(isShape({ text: isString })),
  /** Reports that items in the generation have changed. Views must request them again. */
  itemsStale: notification(isShape({ generation: isNumber })),
  /** Reports the number of bytes received so far while content is loading. */
  contentRead: notification(isShape({ id: isString, bytes: isNumber })),
} as const;
