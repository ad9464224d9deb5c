/** Setting of package.json with its default, which a test compares with the manifest. */
export interface Setting<T> {
  readonly key: string;
  readonly defaultValue: T;
}

/** All settings that package.json contributes. */
export const settings = {
  /** PEM files of certificate authorities to trust in addition to those of the operating system. */
  certificateAuthorities: setting<readonly string[]>('fleetwright.certificateAuthorities', []),
  /** Number of seconds between refreshes of visible online statuses; 0 disables the refreshes. */
  refreshInterval: setting<number>('fleetwright.fleet.refreshInterval', 60),
  /** Creates the demo organizations in a new local fleet. */
  localFleetDemo: setting<boolean>('fleetwright.localFleet.demo', true),
  /** Lets the local fleet run training scripts of the registry. */
  localFleetScripts: setting<boolean>('fleetwright.localFleet.allowCustomTraining', false),
  /** Maximum number of lines that a log panel keeps in memory; the oldest are dropped first. */
  logsBufferLimit: setting<number>('fleetwright.logs.bufferLimit', 200_000),
  /** Saves executed queries in a history. */
  queryHistory: setting<boolean>('fleetwright.query.history', true),
} as const;

function setting<T>(key: string, defaultValue: T): Setting<T> {
  return { key, defaultValue };
}
