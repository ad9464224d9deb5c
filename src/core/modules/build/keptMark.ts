/** What folders hold that builds for several platforms were kept in, and others do not. It is not sent. */
export const KEPT_MARK = '.fleetwright-build';
