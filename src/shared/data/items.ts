import { isBytes, isListOf, isNumber, isOneOf, isBoolean, isShape, isString } from '../guards';
import { command, notification, request } from '../protocol';
import { type BoxView, isBoxView } from './boxes';

/** The tabs whose items have contents. */
export const placements = ['images', 'pointClouds', 'files'] as const;
export type ItemPlacement = (typeof placements)[number];
const isPlacement = isOneOf(...placements);

/** An item as the webview draws it. All texts are as somebody wrote them, and shown as text alone. */
export interface ItemView {
  readonly id: string;
  /** Its place in the listing, from 0; the same within a generation. */
  readonly place: number;
  /** File name, or what stands for it. */
  readonly name: string;
  /** When it was captured, in milliseconds since 1970. */
  readonly at: number;
  readonly sizeBytes: number;
  /** With its period, in lower case. */
  readonly extension: string;
  readonly mimeType: string;
  /** The machine, part and component that captured it. */
  readonly origin: string;
  readonly tags: readonly string[];
  readonly boxes: readonly BoxView[];
  /** Names of the datasets it is in. */
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

/** Items from a place to the one before another, of one listing. */
export interface ItemRange {
  readonly generation: number;
  readonly placement: ItemPlacement;
  readonly start: number;
  readonly end: number;
}

export interface ItemSlice {
  readonly start: number;
  /** Fewer than asked for at the end of the listing, and while reading has not come so far. */
  readonly items: readonly ItemView[];
  /** How many the listing has, as far as is known; smaller than counted when items went in the meantime. */
  readonly count: number;
  /** How many have been read by now: asking again goes on. */
  readonly read: number;
}

const isItemSlice = isShape<ItemSlice>({
  start: isNumber,
  items: isListOf(isItemView),
  count: isNumber,
  read: isNumber,
});

/** A stretch of places, the end excluded. */
export interface PlaceRange {
  readonly start: number;
  readonly end: number;
}

/** Which items a person has selected. */
export interface SelectionRef {
  readonly generation: number;
  readonly placement: ItemPlacement;
  /** In order, apart from one another. */
  readonly ranges: readonly PlaceRange[];
  /** All that the filter selects, whether listed yet or not. */
  readonly all: boolean;
}

export const isSelectionRef = isShape<SelectionRef>({
  generation: isNumber,
  placement: isPlacement,
  ranges: isListOf(isShape<PlaceRange>({ start: isNumber, end: isNumber })),
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
  /** Whether the listing is read as far as was asked: asking again finds no more. */
  readonly isRead: boolean;
}

/** A fact about an item, for its detail view. */
export interface ItemFact {
  readonly name: string;
  readonly value: string;
}

const isItemId = isShape<{ id: string }>({ id: isString });
const isContent = isShape<{ bytes: ArrayBuffer }>({ bytes: isBytes });

/** Messages about items and their contents. A request about another generation fails with `conflict`. */
export const itemMessages = {
  /** Reads at most one page more; anyone who wants items that are far down asks until they are there. */
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
  /** Where items are by now. Reads at most one page more, as `items` does. */
  findItems: request(
    isItemSearch,
    isShape<FoundItems>({ places: isListOf(isNumber), isRead: isBoolean }),
  ),
  /** The content of an image that is small enough for a thumbnail; canceled when it is not seen any more. */
  thumbnail: request(isItemId, isContent),
  /** A whole content; refused with the reason when it is too large to be shown. */
  content: request(isItemId, isContent),
  /** What is known of an item besides its view. */
  facts: request(
    isItemId,
    isShape<{ facts: readonly ItemFact[] }>({
      facts: isListOf(isShape<ItemFact>({ name: isString, value: isString })),
    }),
  ),
  /** Shows a content as a document of VS Code. */
  openContent: command(isItemId),
  /** Puts a text where people paste it from. */
  copyText: command(isShape<{ text: string }>({ text: isString })),
  /** Items of the generation look different: anyone who shows some asks for them again. */
  itemsStale: notification(isShape<{ generation: number }>({ generation: isNumber })),
  /** How much of a content that is waited for has come, in bytes. */
  contentRead: notification(
    isShape<{ id: string; bytes: number }>({ id: isString, bytes: isNumber }),
  ),
} as const;
