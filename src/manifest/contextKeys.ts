/** Context keys for `when` clauses in package.json, and the types of their values. */
export interface ContextKeys {
  /**
   * Permissions that agents can use for changes over the active connection, such as
   * `;control_robot;train_models;`. Empty if they can't change anything, or if it isn't known yet.
   */
  'fleetwright.agentPermissions': string;
  /** True if the active report lists work that can be retried. */
  'fleetwright.bulk.canRetry': boolean;
  /** True if the active document is the merge patch for a bulk change. */
  'fleetwright.bulk.patchInFront': boolean;
  /** True if previewed changes are waiting for the user's decision. */
  'fleetwright.bulk.preview': boolean;
  /**
   * True if the active document is the preview of the changes that are waiting for the user's
   * decision.
   */
  'fleetwright.bulk.previewInFront': boolean;
  /** Briefly true after a config was saved. */
  'fleetwright.configSaved': boolean;
  /** True if a connection is active in this window. */
  'fleetwright.connected': boolean;
  /**
   * True if the connections have been loaded. Only then is it known whether a connection is active.
   */
  'fleetwright.ready': boolean;
  /**
   * True if the active document has unsaved edits and was changed remotely after the first of these
   * edits.
   */
  'fleetwright.document.changedElsewhere': boolean;
  /** True if the active document has a history. */
  'fleetwright.document.hasHistory': boolean;
  /** True if the active document is a merge that the user can accept. */
  'fleetwright.document.mergePreview': boolean;
  /** Briefly true after a fleet is shown together with the walkthrough. */
  'fleetwright.fleetShown': boolean;
  /** True if the API key can read but not edit the active document. */
  'fleetwright.document.readOnly': boolean;
  /** True if a filter is applied to the tree. */
  'fleetwright.fleet.filtered': boolean;
  /** Grouping of machines in the tree. */
  'fleetwright.fleet.grouping': 'location' | 'status' | 'fragment';
  /** True if the local fleet is running, regardless of which window started it. */
  'fleetwright.localFleetRunning': boolean;
  /**
   * Paths of the workspace's module manifests, in the notation that VS Code uses for resources in
   * `when` clauses.
   */
  'fleetwright.moduleManifests': readonly string[];
  /** Briefly true after a query was run. */
  'fleetwright.queryRan': boolean;
  /**
   * True if the active API key owns nothing and can't edit anything over any connection. False until
   * its permissions are known.
   */
  'fleetwright.readOnlyKey': boolean;
  /** True if the active connection is read-only. */
  'fleetwright.readOnlyConnection': boolean;
  /** True if the Rollout view shows a fragment. */
  'fleetwright.rollout.open': boolean;
  /** True if the active connection's service reports the rollout of fragments. */
  'fleetwright.reportsRollouts': boolean;
  /** True if a filter is applied to registry items in the tree. */
  'fleetwright.registry.filtered': boolean;
}

export type ContextKey = keyof ContextKeys;

/** Keys that are briefly set to true to complete a walkthrough step. */
export type ContextEvent = Extract<
  ContextKey,
  'fleetwright.configSaved' | 'fleetwright.fleetShown' | 'fleetwright.queryRan'
>;
