/** Maximum number of jobs to compare: more lines and columns would be hard to distinguish. */
export const MAX_COMPARED_JOBS = 6;

/** The IDs of jobs to compare. The first job is the baseline. */
export type ComparedJobs = readonly string[];

/** Adds a job at the end, or removes it; has no effect if the comparison is full. */
export function toggleJob(jobs: ComparedJobs, job: string): ComparedJobs {
  if (jobs.includes(job)) return jobs.filter((id) => id !== job);
  return jobs.length < MAX_COMPARED_JOBS ? [...jobs, job] : jobs;
}

/** Makes a compared job the baseline; the other jobs keep their order. */
export function pinBaseline(jobs: ComparedJobs, job: string): ComparedJobs {
  return jobs.includes(job) ? [job, ...jobs.filter((id) => id !== job)] : jobs;
}
