/**
 * Environment variable with the path of the file to which the suite inside VS Code writes its
 * results as JSON.
 */
export const hostResultVariable = 'FLEETWRIGHT_HOST_TEST_RESULT';

/** The outcome of one test inside the extension host. */
export interface HostResult {
  title: string;
  milliseconds: number;
  /** Reason for the failure; absent if the test passed. */
  error?: string;
}

/** Environment variable with a pattern; only tests whose titles match it are run. */
export const hostGrepVariable = 'FLEETWRIGHT_HOST_GREP';
