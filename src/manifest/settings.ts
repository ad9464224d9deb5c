/** Setting of package.json with its default. A test compares the default with the manifest. */
export interface Setting<T> {
  readonly key: string;
  readonly defaultValue: T;
}

/** All settings that package.json contributes. */
export const settings = {
  /** PEM files of certificate authorities to trust in addition to those of the operating system. */
  certificateAuthorities: setting<readonly string[]>('fleetwright.certificateAuthorities', []),
  /**
   * Number of seconds between refreshes of visible online statuses; 0 disables automatic refreshes.
   */
  refreshInterval: setting<number>('fleetwright.fleet.refreshInterval', 60),
  /** True to create the demo organizations in a new local fleet. */
  localFleetDemo: setting<boolean>('fleetwright.localFleet.demo', true),
  /** True to let the local fleet run training scripts of the registry. */
  localFleetScripts: setting<boolean>('fleetwright.localFleet.allowCustomTraining', false),
  /**
   * Maximum number of lines that a log panel stores in memory. When it is exceeded, the oldest
   * lines are dropped.
   */
  logsBufferLimit: setting<number>('fleetwright.logs.bufferLimit', 200_000),
  /** True to save executed queries in a history. */
  queryHistory: setting<boolean>('fleetwright.query.history', true),
} as const;

function setting<T>(key: string, defaultValue: T): Setting<T> {
  return { key, defaultValue };
}
