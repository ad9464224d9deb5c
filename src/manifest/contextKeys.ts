/** Context keys for `when` clauses of package.json, and the types of their values. */
export interface ContextKeys {
  /** True if the active report lists work that can be retried. */
  'fleetwright.bulk.canRetry': boolean;
  /** True if the merge patch for a bulk change is active. */
  'fleetwright.bulk.patchInFront': boolean;
  /** True if previewed changes wait for the user's decision. */
  'fleetwright.bulk.preview': boolean;
  /** True if the preview of these changes is active. */
  'fleetwright.bulk.previewInFront': boolean;
  /** For a moment: a config was saved. */
  'fleetwright.configSaved': boolean;
  /** True if a connection is active in this window. */
  'fleetwright.connected': boolean;
  /** True if the connections are loaded and it is known if one is active. */
  'fleetwright.ready': boolean;
  /** True if the active document has unsaved edits and was changed remotely since they began. */
  'fleetwright.document.changedElsewhere': boolean;
  /** True if the active document has a history. */
  'fleetwright.document.hasHistory': boolean;
  /** True if an active merge waits for acceptance. */
  'fleetwright.document.mergePreview': boolean;
  /** For a moment: a fleet was shown with the walkthrough. */
  'fleetwright.fleetShown': boolean;
  /** The API key can read the document in front but not change it. */
  'fleetwright.document.readOnly': boolean;
  /** True if a filter is applied to the tree. */
  'fleetwright.fleet.filtered': boolean;
  /** Grouping of machines in the tree. */
  'fleetwright.fleet.grouping': 'location' | 'status' | 'fragment';
  /** True if the local fleet is running, started by this window or another. */
  'fleetwright.localFleetRunning': boolean;
  /** Paths of the workspace's module manifests, in VS Code's notation for resources. */
  'fleetwright.moduleManifests': readonly string[];
  /** For a moment: a query was run. */
  'fleetwright.queryRan': boolean;
  /** The active API key owns nothing and can edit nothing. False while that is not known. */
  'fleetwright.readOnlyKey': boolean;
  /** True if a filter is applied to registry items in the tree. */
  'fleetwright.registry.filtered': boolean;
}

export type ContextKey = keyof ContextKeys;

/** Keys that are true for a moment, which completes a step of the walkthrough. */
export type ContextEvent = Extract<
  ContextKey,
  'fleetwright.configSaved' | 'fleetwright.fleetShown' | 'fleetwright.queryRan'
>;
