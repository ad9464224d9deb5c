/**
 * Marker file in folders that contain saved builds for multiple platforms. The file isn't uploaded.
 */
export const KEPT_MARK = '.fleetwright-build';
