import type { TagsMode } from './dataFilter';
import type { PlaceKind } from './filterMessages';

/** What a filter asks for, one by one. */
export const filterFields = [
  'organization',
  'location',
  'machine',
  'part',
  'machineName',
  'partName',
  'componentName',
  'componentType',
  'method',
  'mimeType',
  'time',
  'tags',
  'labels',
  'dataset',
] as const;
export type FilterField = (typeof filterFields)[number];

/** What the filter of a data panel says. */
export interface FilterStrings {
  readonly filter: string;
  readonly filterHint: string;
  /** Names the row of what is set. */
  readonly summary: string;
  readonly clearAll: string;
  readonly clearAllHint: string;
  /** {0} is what is removed. */
  readonly remove: string;
  /** {0} is the name of a field, {1} its value. */
  readonly chip: string;
  readonly fields: Readonly<Record<FilterField, string>>;
  readonly more: string;
  readonly save: string;
  readonly openSaved: string;
  readonly copyLink: string;
  readonly queryReadings: string;
  readonly pick: Readonly<Record<PlaceKind, string>>;
  readonly tags: Readonly<Record<TagsMode, string>>;
  readonly interval: IntervalStrings;
  readonly complete: {
    /** Stands in an empty box that takes several values. */
    readonly add: string;
    /** Stands in an empty box that takes one. */
    readonly any: string;
    readonly nothing: string;
    /** There are more than are listed. */
    readonly more: string;
    /** {0} is the reason. */
    readonly failed: string;
    /** {0} is how many. */
    readonly found: string;
  };
}

export interface IntervalStrings {
  readonly any: string;
  /** By their length in minutes. */
  readonly presets: readonly { readonly minutes: number; readonly label: string }[];
  /** {0} is a number. */
  readonly lastMinutes: string;
  readonly between: string;
  readonly from: string;
  readonly to: string;
  /** {0} is a time. */
  readonly since: string;
  /** {0} is a time. */
  readonly until: string;
  /** {0} and {1} are times. */
  readonly span: string;
  readonly utc: string;
  readonly utcHint: string;
  readonly backwards: string;
  readonly incomplete: string;
}
