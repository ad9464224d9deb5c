import {
  type Guarded,
  isBoolean,
  isListOf,
  isUndefined,
  isOneOf,
  isShape,
  isString,
} from '../guards';
import { command, request } from '../protocol';

/** Resources that a filter refers to by ID, and that the user selects by name. */
const filterResourceKinds = ['location', 'machine', 'part', 'dataset'] as const;
export type FilterResourceKind = (typeof filterResourceKinds)[number];

/** Fields that suggest values in use. */
export type CompletedField = 'tags' | 'labels';

const isCompletions = isShape({
  values: isListOf(isString),
  /** True if more values exist than are listed. */
  more: isBoolean,
});
/** Values that start with or contain the typed text. */
export type Completions = Guarded<typeof isCompletions>;

/** Messages about a panel's filter, except for applying it. */
export const filterMessages = {
  /** Prompts for a resource or dataset and adds it to the filter. */
  promptForFilterTarget: command(isShape({ kind: isOneOf(...filterResourceKinds) })),
  complete: request(
    isShape({
      field: isOneOf('tags', 'labels'),
      text: isString,
    }),
    isCompletions,
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
