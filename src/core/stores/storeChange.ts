/**
 * Change that a store reports to its listeners; it contains all data that listeners need to react.
 */
export interface StoreChange<Id extends string, ParentId extends string = never> {
  /** Resources that were added or whose own fields changed. */
  readonly ids: readonly Id[];
  /** Resources that were deleted. */
  readonly removed: readonly Id[];
  /** Parents whose list of children changed. */
  readonly parents: readonly ParentId[];
  /** True if everything can have changed: reload what is displayed. */
  readonly all: boolean;
}

/** Fills in the fields that a change doesn't affect. */
export function storeChange<Id extends string, ParentId extends string = never>(
  change: Partial<StoreChange<Id, ParentId>>,
): StoreChange<Id, ParentId> {
  return { ids: [], removed: [], parents: [], all: false, ...change };
}

export interface ReadOptions {
  readonly signal?: AbortSignal | undefined;
  /** True to request from the service even if a response is cached. */
  readonly fresh?: boolean | undefined;
}
