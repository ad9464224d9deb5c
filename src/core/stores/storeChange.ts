/**
 * Change that a store reports to its listeners. Contains all data that listeners need to handle the
 * change.
 */
export interface StoreChange<Id extends string, ParentId extends string = never> {
  /** Resources that were added, or whose own fields have changed. */
  readonly ids: readonly Id[];
  /** Resources that were deleted. */
  readonly removed: readonly Id[];
  /** Parents whose lists of children have changed. */
  readonly parents: readonly ParentId[];
  /** True if any data might have changed, so that all displayed data must be reloaded. */
  readonly all: boolean;
}

/** Returns a complete change, in which the given fields are set and all others are empty. */
export function storeChange<Id extends string, ParentId extends string = never>(
  change: Partial<StoreChange<Id, ParentId>>,
): StoreChange<Id, ParentId> {
  return { ids: [], removed: [], parents: [], all: false, ...change };
}

export interface ReadOptions {
  readonly signal?: AbortSignal | undefined;
  /** True to read from the service even if a response is cached. */
  readonly fresh?: boolean | undefined;
}
