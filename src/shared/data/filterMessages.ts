import { isBoolean, isListOf, isNothing, isOneOf, isShape, isString } from '../guards';
import { command, request } from '../protocol';

/** What a filter refers to by its id, and what a person chooses by name. */
export const placeKinds = ['location', 'machine', 'part', 'dataset'] as const;
export type PlaceKind = (typeof placeKinds)[number];

/** Fields whose values are completed by what is in use. */
export type CompletedField = 'tags' | 'labels';

/** Values that begin with what was typed, or say it further in. */
export interface Completions {
  readonly values: readonly string[];
  /** There are more than these. */
  readonly more: boolean;
}

/** What is said about the filter of a panel, besides applying one. */
export const filterMessages = {
  /** Asks for a place or dataset and narrows the filter to it. */
  pickPlace: command(isShape<{ kind: PlaceKind }>({ kind: isOneOf(...placeKinds) })),
  complete: request(
    isShape<{ field: CompletedField; text: string }>({
      field: isOneOf('tags', 'labels'),
      text: isString,
    }),
    isShape<Completions>({ values: isListOf(isString), more: isBoolean }),
  ),
  /** Asks for a name and keeps the filter under it. */
  saveFilter: command(isNothing),
  /** Asks which of those that were kept is to be applied; there they are renamed and deleted, too. */
  openSavedFilter: command(isNothing),
  copyLink: command(isNothing),
  /** Opens a query for the readings that the filter selects. */
  queryReadings: command(isNothing),
} as const;
