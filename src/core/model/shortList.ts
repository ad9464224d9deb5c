/** The first names of a long list, and how many are left out. */
export interface ShortList {
  readonly shown: readonly string[];
  readonly more: number;
}

/** Shortens a list for a sentence. One name alone is never left out: "1 more" is no shorter. */
export function shortList(names: readonly string[], longest: number): ShortList {
  if (names.length <= longest + 1) return { shown: names, more: 0 };
  return { shown: names.slice(0, longest), more: names.length - longest };
}
