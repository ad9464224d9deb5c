import type { JobFilter, PageJob } from '../../src/shared/training';

/** Returns the jobs that match a filter: each word of the filter must occur in the job's line. */
export function matchingJobs(
  jobs: readonly PageJob[],
  { text, states }: JobFilter,
): readonly PageJob[] {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return jobs.filter((job) => {
    if (states.length > 0 && !states.includes(job.state)) return false;
    const { model, version, training, dataset, status, id } = job;
    const line = [model, version, training, dataset, status, id].join(' ').toLowerCase();
    return words.every((word) => line.includes(word));
  });
}
