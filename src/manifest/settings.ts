/** A setting of package.json with its default, which a test compares with the manifest. */
export interface Setting<T> {
  readonly key: string;
  readonly defaultValue: T;
}

export const settings = {
  /** Fill a new local fleet with the demo organizations. */
  localFleetDemo: setting('fleetwright.localFleet.demo', true),
} as const;

function setting<T>(key: string, defaultValue: T): Setting<T> {
  return { key, defaultValue };
}
