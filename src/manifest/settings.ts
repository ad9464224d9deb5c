/** A setting of package.json with its default, which a test compares with the manifest. */
export interface Setting<T> {
  readonly key: string;
  readonly defaultValue: T;
}

/** Every setting that package.json contributes. */
export const settings = {
  /** PEM files of certificate authorities to trust besides those of the system. */
  certificateAuthorities: setting<readonly string[]>('fleetwright.certificateAuthorities', []),
  /** Seconds between two readings of the online states that are in view; 0 reads none. */
  refreshInterval: setting<number>('fleetwright.fleet.refreshInterval', 60),
  /** Fill a new local fleet with the demo organizations. */
  localFleetDemo: setting<boolean>('fleetwright.localFleet.demo', true),
  /** Run training scripts of the registry in the local fleet. */
  localFleetScripts: setting<boolean>('fleetwright.localFleet.allowCustomTraining', false),
  /** Lines that a log panel keeps in memory; the oldest go first. */
  logsBufferLimit: setting<number>('fleetwright.logs.bufferLimit', 200_000),
  /** Keep the queries that are run in a history. */
  queryHistory: setting<boolean>('fleetwright.query.history', true),
} as const;

function setting<T>(key: string, defaultValue: T): Setting<T> {
  return { key, defaultValue };
}
