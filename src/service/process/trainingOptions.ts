import { usageError } from './commandError';

/** Each takes a processor and much memory. */
const MOST_JOBS = 16;

/** What the service trains. */
export interface TrainingOptions {
  /** Whether scripts of the registry are run, which do what they like with the rights of the service. */
  allowsScripts: boolean;
  /** How many jobs run at a time; absent, as many as usual. */
  jobs: number | undefined;
}

/**
 * Reads what the command line says of training.
 * @throws CommandError (usage) that names the argument at fault.
 */
export function readTrainingOptions(
  allowsScripts: boolean,
  jobs: string | undefined,
): TrainingOptions {
  if (jobs === undefined) {
    return { allowsScripts, jobs: undefined };
  }
  const count = Number(jobs);
  if (!/^\d+$/.test(jobs) || count === 0 || count > MOST_JOBS) {
    throw usageError(
      `--training-jobs must be a number from 1 to ${String(MOST_JOBS)}, not "${jobs}"`,
    );
  }
  return { allowsScripts, jobs: count };
}
