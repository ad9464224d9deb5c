/** What a store tells its listeners; an event names everything a listener needs to react. */
export interface StoreChange<Id extends string, ParentId extends string = never> {
  /** Resources that appeared or whose own fields changed. */
  readonly ids: readonly Id[];
  /** Resources that are gone. */
  readonly removed: readonly Id[];
  /** Parents whose list of children changed. */
  readonly parents: readonly ParentId[];
  /** Everything may have changed: read again what is shown. */
  readonly all: boolean;
}

/** Fills in what a change does not touch. */
export function storeChange<Id extends string, ParentId extends string = never>(
  change: Partial<StoreChange<Id, ParentId>>,
): StoreChange<Id, ParentId> {
  return { ids: [], removed: [], parents: [], all: false, ...change };
}

export interface ReadOptions {
  readonly signal?: AbortSignal | undefined;
  /** Asks the service even when an answer is cached. */
  readonly fresh?: boolean | undefined;
}
