/** What package.json contributes for tasks. */
export const tasks = {
  /** The `type` of tasks in tasks.json. */
  type: 'fleetwright',
  /** Find what compilers of the languages of modules say about a file and a line in the output. */
  matchers: ['$tsc', '$fleetwright-compiler', '$fleetwright-go', '$fleetwright-python'],
} as const;
