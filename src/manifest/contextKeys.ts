/** Context keys that `when` clauses of package.json read, and the type of their values. */
export interface ContextKeys {
  /** A connection is active in this window. */
  'fleetwright.connected': boolean;
  /** The connections are read and it is known whether one is active. */
  'fleetwright.ready': boolean;
  /** The document in front has unsaved edits and was changed elsewhere since they began. */
  'fleetwright.document.changedElsewhere': boolean;
  /** The document in front has a history. */
  'fleetwright.document.hasHistory': boolean;
  /** A merge is in front and waits for its acceptance. */
  'fleetwright.document.mergePreview': boolean;
  /** The local fleet runs, started by this window or another. */
  'fleetwright.localFleetRunning': boolean;
}

export type ContextKey = keyof ContextKeys;
