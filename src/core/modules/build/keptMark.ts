/** Marker file in folders that contain saved builds for several platforms. It isn't uploaded. */
export const KEPT_MARK = '.fleetwright-build';
