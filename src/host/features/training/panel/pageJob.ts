import { displayName, toDisplayText } from '../../../../core/model/toDisplayText';
import { isInProgress, mayHaveEnded, type TrainingJob } from '../../../../core/model/trainingJob';
import type { JobState } from '../../../../shared/jobStates';
import type { JobDetail, JobFact, PageJob, PageJobs } from '../../../../shared/training';
import type { ReadJobs } from './trainingSession';

/** Maximum length of an error; shorter errors are shown in full. */
const MAX_ERROR_LENGTH = 20_000;

const STATES: Readonly<Record<Extract<TrainingJob['status'], string>, JobState>> = {
  pending: 'pending',
  inProgress: 'running',
  completed: 'completed',
  failed: 'failed',
  canceling: 'canceling',
  canceled: 'canceled',
};

/** Localized strings for describing jobs. */
export interface JobLabels {
  readonly status: (status: TrainingJob['status']) => string;
  /** Describes the training task or script. */
  readonly training: (job: TrainingJob) => string;
  /**
   * Returns the facts about a job that have values.
   * @param dataset name of the dataset, if known
   */
  readonly facts: (job: TrainingJob, dataset: string | undefined) => readonly JobFact[];
}

/** Converts the jobs of an organization for the list. */
export function pageJobs({ organization, jobs, datasets }: ReadJobs, labels: JobLabels): PageJobs {
  return {
    organization: toDisplayText(organization),
    jobs: jobs.map((job) => pageJob(job, datasets.get(job.datasetId), labels)),
  };
}

function pageJob(job: TrainingJob, dataset: string | undefined, labels: JobLabels): PageJob {
  const { id, modelName, modelVersion, status, datasetId } = job;
  const { createdAt, startedAt, endedAt } = job;
  return {
    id,
    model: displayName({ name: modelName, id }),
    version: toDisplayText(modelVersion),
    state: typeof status === 'number' ? 'other' : STATES[status],
    status: labels.status(status),
    training: labels.training(job),
    dataset: toDisplayText(dataset ?? datasetId),
    ...(createdAt && { submittedAt: createdAt.getTime() }),
    ...(startedAt && { startedAt: startedAt.getTime() }),
    ...(endedAt && { endedAt: endedAt.getTime() }),
  };
}

/** Returns the details of one job and the available actions. */
export function jobDetail(
  job: TrainingJob,
  dataset: string | undefined,
  labels: JobLabels,
): JobDetail {
  const { status, error } = job;
  return {
    facts: labels.facts(job, dataset).filter(({ value }) => value !== ''),
    ...(error !== undefined && { error: toDisplayLines(error) }),
    canCancel: isInProgress(job) && status !== 'canceling',
    canDelete: mayHaveEnded(job),
    hasModel: status === 'completed',
    hasDataset: dataset !== undefined,
  };
}

/**
 * Sanitizes text but preserves its line breaks, because a failure reason can quote the end of a
 * log.
 */
function toDisplayLines(text: string): string {
  const lines = text.slice(0, MAX_ERROR_LENGTH).split(/\r\n|[\n\r]/);
  return lines.map((line) => toDisplayText(line, MAX_ERROR_LENGTH)).join('\n');
}
