/** View containers and views that package.json contributes. */
export const views = {
  container: 'fleetwright',
  fleet: 'fleetwright.fleet',
} as const;
