import { isBytes, isListOf, isNumber, isOneOf, isBoolean, isShape, isString } from '../guards';
import { command, notification, request } from '../protocol';
import { type BoxView, isBoxView } from './boxes';

/** The tabs of items with contents. */
export const placements = ['images', 'pointClouds', 'files'] as const;
export type ItemPlacement = (typeof placements)[number];
const isPlacement = isOneOf(...placements);

/** An item as the webview draws it. All texts are user-provided and shown only as plain text. */
export interface ItemView {
  readonly id: string;
  /** Its index in the listing, from 0; it stays the same within a generation. */
  readonly place: number;
  /** File name, or a replacement for it. */
  readonly name: string;
  /** Time of capture, in milliseconds since 1970. */
  readonly at: number;
  readonly sizeBytes: number;
  /** With its period, in lowercase. */
  readonly extension: string;
  readonly mimeType: string;
  /** The machine, part, and component that captured it. */
  readonly origin: string;
  readonly tags: readonly string[];
  readonly boxes: readonly BoxView[];
  /** Names of the datasets that contain it. */
  readonly datasets: readonly string[];
}

const isItemView = isShape<ItemView>({
  id: isString,
  place: isNumber,
  name: isString,
  at: isNumber,
  sizeBytes: isNumber,
  extension: isString,
  mimeType: isString,
  origin: isString,
  tags: isListOf(isString),
  boxes: isListOf(isBoxView),
  datasets: isListOf(isString),
});

/** A range of items in a listing, end exclusive. */
export interface ItemRange {
  readonly generation: number;
  readonly placement: ItemPlacement;
  readonly start: number;
  readonly end: number;
}

export interface ItemSlice {
  readonly start: number;
  /** Fewer than requested at the end of the listing, and while loading hasn't reached them. */
  readonly items: readonly ItemView[];
  /**
   * Known number of items in the listing; smaller than counted if items were deleted in the
   * meantime.
   */
  readonly count: number;
  /** Number of loaded items: another request continues loading. */
  readonly read: number;
}

const isItemSlice = isShape<ItemSlice>({
  start: isNumber,
  items: isListOf(isItemView),
  count: isNumber,
  read: isNumber,
});

/** A range of indexes, end exclusive. */
export interface IndexRange {
  readonly start: number;
  readonly end: number;
}

/** The items that the user has selected. */
export interface SelectionRef {
  readonly generation: number;
  readonly placement: ItemPlacement;
  /** Sorted and disjoint. */
  readonly ranges: readonly IndexRange[];
  /** True if everything that matches the filter is selected, including items that aren't loaded. */
  readonly all: boolean;
}

export const isSelectionRef = isShape<SelectionRef>({
  generation: isNumber,
  placement: isPlacement,
  ranges: isListOf(isShape<IndexRange>({ start: isNumber, end: isNumber })),
  all: isBoolean,
});

/** Items of one listing by their IDs, looked for up to the place `end`. */
export interface ItemSearch {
  readonly generation: number;
  readonly placement: ItemPlacement;
  readonly ids: readonly string[];
  readonly end: number;
}

const isItemSearch = isShape<ItemSearch>({
  generation: isNumber,
  placement: isPlacement,
  ids: isListOf(isString),
  end: isNumber,
});

export interface FoundItems {
  readonly places: readonly number[];
  /** True if the listing was read as far as requested: another request finds no more. */
  readonly isRead: boolean;
}

/** A detail of an item, for its detail view. */
export interface ItemFact {
  readonly name: string;
  readonly value: string;
}

const isItemId = isShape<{ id: string }>({ id: isString });
const isContent = isShape<{ bytes: ArrayBuffer }>({ bytes: isBytes });

/** Messages about items and their contents. A request about another generation fails with `conflict`. */
export const itemMessages = {
  /**
   * Loads at most one more page; for items further down, callers must repeat the request until they
   * are available.
   */
  items: request(
    isShape<ItemRange>({
      generation: isNumber,
      placement: isPlacement,
      start: isNumber,
      end: isNumber,
    }),
    isItemSlice,
  ),
  /** The IDs of selected items, in their order. */
  identifyItems: request(
    isSelectionRef,
    isShape<{ ids: readonly string[] }>({ ids: isListOf(isString) }),
  ),
  /** Current positions of items. Reads at most one page more, as `items` does. */
  findItems: request(
    isItemSearch,
    isShape<FoundItems>({ places: isListOf(isNumber), isRead: isBoolean }),
  ),
  /**
   * The content of an image that is small enough for a thumbnail; canceled when it is no longer
   * visible.
   */
  thumbnail: request(isItemId, isContent),
  /** A complete content; fails with the reason if it is too large to be shown. */
  content: request(isItemId, isContent),
  /** Details of an item in addition to its view. */
  facts: request(
    isItemId,
    isShape<{ facts: readonly ItemFact[] }>({
      facts: isListOf(isShape<ItemFact>({ name: isString, value: isString })),
    }),
  ),
  /** Shows a content as a VS Code document. */
  openContent: command(isItemId),
  /** Copies a text to the clipboard. */
  copyText: command(isShape<{ text: string }>({ text: isString })),
  /** Items of the generation have changed: views must request them again. */
  itemsStale: notification(isShape<{ generation: number }>({ generation: isNumber })),
  /** Number of received bytes of a pending content. */
  contentRead: notification(
    isShape<{ id: string; bytes: number }>({ id: isString, bytes: isNumber }),
  ),
} as const;
