/** Names the file that the suite inside VS Code writes its results to, as JSON. */
export const hostResultVariable = 'FLEETWRIGHT_HOST_TEST_RESULT';

/** The outcome of one test inside the extension host. */
export interface HostResult {
  title: string;
  milliseconds: number;
  /** Why it failed; absent when it passed. */
  error?: string;
}

/** Name of the environment variable with the pattern of the titles to run alone. */
export const hostGrepVariable = 'FLEETWRIGHT_HOST_GREP';
