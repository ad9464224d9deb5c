/** What parts of the panel keep of themselves over a reload of the window. Readers check what they get. */
export interface KeptViews {
  get(part: string): unknown;
  /** Replaces what a part has kept; undefined forgets it. */
  set(part: string, value: unknown): void;
}

/** @param keep stores all of it. */
export function keptViews(
  begin: Readonly<Record<string, unknown>>,
  keep: (views: Readonly<Record<string, unknown>>) => void,
): KeptViews {
  const views = new Map(Object.entries(begin));
  return {
    get: (part) => views.get(part),
    set: (part, value) => {
      if (value === undefined) views.delete(part);
      else views.set(part, value);
      keep(Object.fromEntries(views));
    },
  };
}
