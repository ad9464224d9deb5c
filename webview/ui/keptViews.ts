/**
 * State of the panel's parts that survives a reload of the window. Readers validate what they get.
 */
export interface KeptViews {
  get(part: string): unknown;
  /** Replaces the state of a part; undefined removes it. */
  set(part: string, value: unknown): void;
}

/** @param keep stores the state of all parts. */
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
