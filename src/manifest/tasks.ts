/** Contributions of package.json for tasks. */
export const tasks = {
  /** The `type` of tasks in tasks.json. */
  type: 'fleetwright',
  /**
   * Problem matchers that find file positions in the output of compilers for the supported module
   * languages.
   */
  matchers: ['$tsc', '$fleetwright-compiler', '$fleetwright-go', '$fleetwright-python'],
} as const;
