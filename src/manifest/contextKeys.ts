/** Context keys that `when` clauses of package.json read, and the type of their values. */
export interface ContextKeys {
  /** The report in front tells of work that can be tried again. */
  'fleetwright.bulk.canRetry': boolean;
  /** The merge patch that a bulk change waits for is in front. */
  'fleetwright.bulk.patchInFront': boolean;
  /** Previewed changes wait for the person's decision. */
  'fleetwright.bulk.preview': boolean;
  /** The preview of these changes is in front. */
  'fleetwright.bulk.previewInFront': boolean;
  /** For a moment: a config was saved. */
  'fleetwright.configSaved': boolean;
  /** A connection is active in this window. */
  'fleetwright.connected': boolean;
  /** The connections are read and it is known whether one is active. */
  'fleetwright.ready': boolean;
  /** The active document has unsaved edits and was changed remotely since they began. */
  'fleetwright.document.changedElsewhere': boolean;
  /** The document in front has a history. */
  'fleetwright.document.hasHistory': boolean;
  /** A merge is in front and waits for its acceptance. */
  'fleetwright.document.mergePreview': boolean;
  /** For a moment: a fleet was shown with the walkthrough. */
  'fleetwright.fleetShown': boolean;
  /** The API key can read the document in front but not change it. */
  'fleetwright.document.readOnly': boolean;
  /** The tree leaves out what a filter does not match. */
  'fleetwright.fleet.filtered': boolean;
  /** What the tree gathers machines by. */
  'fleetwright.fleet.grouping': 'location' | 'status' | 'fragment';
  /** The local fleet runs, started by this window or another. */
  'fleetwright.localFleetRunning': boolean;
  /** The paths of the workspace's module manifests, as VS Code writes those of resources. */
  'fleetwright.moduleManifests': readonly string[];
  /** For a moment: a query was run. */
  'fleetwright.queryRan': boolean;
  /** The active API key owns nothing and can edit nothing. False while that is not known. */
  'fleetwright.readOnlyKey': boolean;
  /** The tree leaves out registry items that a filter does not match. */
  'fleetwright.registry.filtered': boolean;
}

export type ContextKey = keyof ContextKeys;

/** Keys that are true for a moment, which completes a step of the walkthrough. */
export type ContextEvent = Extract<
  ContextKey,
  'fleetwright.configSaved' | 'fleetwright.fleetShown' | 'fleetwright.queryRan'
>;
