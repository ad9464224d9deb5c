import {
  type Guarded,
  type Guard,
  isListOf,
  isNumber,
  isOneOf,
  isOptional,
  isShape,
  isString,
} from '../guards';

/** Capture time range. `last` counts back from the time at which the filter is applied. */
export type DataInterval =
  | { readonly kind: 'any' }
  | { readonly kind: 'last'; readonly minutes: number }
  /** Bounds are in milliseconds since 1970. If a bound is absent, the range is open-ended. */
  | {
      readonly kind: 'between';
      readonly start?: number | undefined;
      readonly end?: number | undefined;
    };

export type TagsMode = 'any' | 'anyOf' | 'tagged' | 'untagged';

export const everyData: DataFilter = {
  organizations: [],
  locations: [],
  machine: '',
  part: '',
  machineName: '',
  partName: '',
  componentName: '',
  componentType: '',
  method: '',
  mimeTypes: [],
  interval: { kind: 'any' },
  tagsMode: 'any',
  tags: [],
  labels: [],
  dataset: '',
};

/** Years 1 to 9999, the range that services accept, in milliseconds since 1970. */
const MIN_TIME_MS = -62_135_596_800_000;
const MAX_TIME_MS = 253_402_300_799_999;
const MAX_MINUTES = 1_000_000_000;

/**
 * Accepts timestamps that are valid in a filter. The check is necessary because links and saved
 * states are untrusted.
 */
export const isTimestamp: Guard<number> = (value): value is number =>
  isNumber(value) && value >= MIN_TIME_MS && value <= MAX_TIME_MS;

const isLength: Guard<number> = (value): value is number =>
  isNumber(value) && value > 0 && value <= MAX_MINUTES;

const isBetween = isShape<Extract<DataInterval, { kind: 'between' }>>({
  kind: isOneOf('between'),
  start: isOptional(isTimestamp),
  end: isOptional(isTimestamp),
});
const isLast = isShape<Extract<DataInterval, { kind: 'last' }>>({
  kind: isOneOf('last'),
  minutes: isLength,
});
const isAny = isShape<Extract<DataInterval, { kind: 'any' }>>({ kind: isOneOf('any') });

const isInterval: Guard<DataInterval> = (value): value is DataInterval =>
  isAny(value) || isLast(value) || isBetween(value);

const isTexts = isListOf(isString);

export const isDataFilter = isShape({
  organizations: isTexts,
  locations: isTexts,
  /** ID of a machine; the next string is the ID of a part. */
  machine: isString,
  part: isString,
  machineName: isString,
  partName: isString,
  componentName: isString,
  componentType: isString,
  method: isString,
  mimeTypes: isTexts,
  interval: isInterval,
  tagsMode: isOneOf('any', 'anyOf', 'tagged', 'untagged'),
  /** Tags to match if `tagsMode` is `anyOf`. */
  tags: isTexts,
  labels: isTexts,
  /** ID of a dataset. */
  dataset: isString,
});
/**
 * The filter of a data panel, as it is saved and sent. Empty strings and lists match everything.
 */
export type DataFilter = Guarded<typeof isDataFilter>;

/** The individual conditions in a filter. */
const filterFields = [
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
