/** First names of a long list, and the number of omitted names. */
export interface ShortList {
  readonly shown: readonly string[];
  readonly more: number;
}

/** Shortens a list for a sentence. Never omits just one name, because "1 more" isn't shorter. */
export function shortList(names: readonly string[], longest: number): ShortList {
  if (names.length <= longest + 1) return { shown: names, more: 0 };
  return { shown: names.slice(0, longest), more: names.length - longest };
}
