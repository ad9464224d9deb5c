import { isBoolean, isListOf, isUndefined, isOneOf, isShape, isString } from '../guards';
import { command, request } from '../protocol';

/** Resources that a filter refers to by ID, and that the user selects by name. */
const filterResourceKinds = ['location', 'machine', 'part', 'dataset'] as const;
export type FilterResourceKind = (typeof filterResourceKinds)[number];

/** Fields that suggest values in use. */
export type CompletedField = 'tags' | 'labels';

/** Values that start with or contain the typed text. */
export interface Completions {
  readonly values: readonly string[];
  /** True if more values exist than are listed. */
  readonly more: boolean;
}

/** Messages about the filter of a panel, except for applying it. */
export const filterMessages = {
  /** Prompts for a resource or dataset and adds it to the filter. */
  pickPlace: command(
    isShape<{ kind: FilterResourceKind }>({ kind: isOneOf(...filterResourceKinds) }),
  ),
  complete: request(
    isShape<{ field: CompletedField; text: string }>({
      field: isOneOf('tags', 'labels'),
      text: isString,
    }),
    isShape<Completions>({ values: isListOf(isString), more: isBoolean }),
  ),
  /** Prompts for a name under which to save the filter. */
  saveFilter: command(isUndefined),
  /**
   * Prompts for a saved filter and applies it. The user can also rename and delete saved filters in
   * the list.
   */
  openSavedFilter: command(isUndefined),
  copyLink: command(isUndefined),
  /** Opens a query for the readings that match the filter. */
  queryReadings: command(isUndefined),
} as const;
