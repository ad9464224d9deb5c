/**
 * State of the panel's parts that survives window reloads. Callers must validate the state that
 * they read.
 */
export interface ViewStateStore {
  get(part: string): unknown;
  /** Replaces a part's state; undefined removes it. */
  set(part: string, value: unknown): void;
}

/** @param save saves the state of all parts. */
export function createViewStateStore(
  begin: Readonly<Record<string, unknown>>,
  save: (views: Readonly<Record<string, unknown>>) => void,
): ViewStateStore {
  const views = new Map(Object.entries(begin));
  return {
    get: (part) => views.get(part),
    set: (part, value) => {
      if (value === undefined) views.delete(part);
      else views.set(part, value);
      save(Object.fromEntries(views));
    },
  };
}
