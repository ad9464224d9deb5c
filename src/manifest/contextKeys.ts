/** Context keys that `when` clauses of package.json read, and the type of their values. */
export interface ContextKeys {
  /** A connection is active in this window. */
  'fleetwright.connected': boolean;
  /** The connections are read and it is known whether one is active. */
  'fleetwright.ready': boolean;
  /** The local fleet runs, started by this window or another. */
  'fleetwright.localFleetRunning': boolean;
}

export type ContextKey = keyof ContextKeys;
