/** Environment variables with which the benchmark configures the probe in the extension host. */
export const activationVariables = {
  /** Path of the result file, which contains JSON: an {@link Activation} by extension ID. */
  result: 'FLEETWRIGHT_ACTIVATION_RESULT',
  /** Path of a file with a JSON array of the IDs of the extensions to activate, in this order. */
  subjects: 'FLEETWRIGHT_ACTIVATION_SUBJECTS',
  /** Path of the folder in which our extension writes its code cache. */
  codeCache: 'FLEETWRIGHT_ACTIVATION_CODE_CACHE',
} as const;

export interface Activation {
  readonly milliseconds: number;
  /** Processor time of all threads of the extension host, which other processes don't affect. */
  readonly processorMilliseconds: number;
}
