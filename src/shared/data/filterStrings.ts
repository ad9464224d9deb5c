import type { TagsMode } from './dataFilter';
import type { FilterResourceKind } from './filterMessages';

/** The individual conditions of a filter. */
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

/** Strings of a data panel's filter. */
export interface FilterStrings {
  readonly filter: string;
  readonly filterHint: string;
  /** Label of the row of conditions. */
  readonly summary: string;
  readonly clearAll: string;
  readonly clearAllHint: string;
  /** {0} is the value to remove. */
  readonly remove: string;
  /** {0} is the name of a field, {1} its value. */
  readonly chip: string;
  readonly fields: Readonly<Record<FilterField, string>>;
  readonly more: string;
  readonly save: string;
  readonly openSaved: string;
  readonly copyLink: string;
  readonly queryReadings: string;
  readonly pick: Readonly<Record<FilterResourceKind, string>>;
  readonly tags: Readonly<Record<TagsMode, string>>;
  readonly interval: IntervalStrings;
  readonly complete: {
    /** Placeholder of an empty input that accepts more than one value. */
    readonly add: string;
    /** Placeholder of an empty input for a single value. */
    readonly any: string;
    readonly noMatch: string;
    /** Shown if not all values are listed. */
    readonly more: string;
    /** {0} is the reason. */
    readonly failed: string;
    /** {0} is the number of matches. */
    readonly found: string;
  };
}

export interface IntervalStrings {
  readonly any: string;
  /** Presets, identified by their length in minutes. */
  readonly presets: readonly { readonly minutes: number; readonly label: string }[];
  /** {0} is a number of minutes. */
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
