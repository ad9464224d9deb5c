import { usageError } from './commandError';

/** Maximum number of concurrent jobs. Each job requires a processor and a lot of memory. */
const MAX_JOBS = 16;

/** Settings for training jobs. */
export interface TrainingOptions {
  /**
   * True if registry scripts can run. Scripts can do anything that the service has permission to
   * do.
   */
  allowsScripts: boolean;
  /** Number of concurrent jobs. If absent, the default is used. */
  jobs: number | undefined;
}

/**
 * Parses the training options of the command line.
 * @throws CommandError (usage) that names the invalid argument.
 */
export function readTrainingOptions(
  allowsScripts: boolean,
  jobs: string | undefined,
): TrainingOptions {
  if (jobs === undefined) {
    return { allowsScripts, jobs: undefined };
  }
  const count = Number(jobs);
  if (!/^\d+$/.test(jobs) || count === 0 || count > MAX_JOBS) {
    throw usageError(
      `--training-jobs must be a number from 1 to ${String(MAX_JOBS)}, not "${jobs}"`,
    );
  }
  return { allowsScripts, jobs: count };
}
