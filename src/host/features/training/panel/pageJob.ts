import { displayName, displayText } from '../../../../core/model/displayText';
import { isUnderWay, mayHaveEnded, type TrainingJob } from '../../../../core/model/trainingJob';
import type { JobState } from '../../../../shared/jobStates';
import type { JobDetail, JobFact, PageJob, PageJobs } from '../../../../shared/training';
import type { ReadJobs } from './trainingSession';

/** A reason is shown in full, up to what a person reads. */
const LONGEST_ERROR = 20_000;

const STATES: Readonly<Record<Extract<TrainingJob['status'], string>, JobState>> = {
  pending: 'pending',
  inProgress: 'running',
  completed: 'completed',
  failed: 'failed',
  canceling: 'canceling',
  canceled: 'canceled',
};

/** The words that jobs are described in. */
export interface JobWords {
  readonly status: (status: TrainingJob['status']) => string;
  /** What is learned, or the script that trains. */
  readonly training: (job: TrainingJob) => string;
  /** Empty values are left out. @param dataset its name, where that is known */
  readonly facts: (job: TrainingJob, dataset: string | undefined) => readonly JobFact[];
}

/** The jobs of an organization as the list shows them. */
export function pageJobs({ organization, jobs, datasets }: ReadJobs, words: JobWords): PageJobs {
  return {
    organization: displayText(organization),
    jobs: jobs.map((job) => pageJob(job, datasets.get(job.datasetId), words)),
  };
}

function pageJob(job: TrainingJob, dataset: string | undefined, words: JobWords): PageJob {
  const { id, modelName, modelVersion, status, datasetId } = job;
  const { createdAt, startedAt, endedAt } = job;
  return {
    id,
    model: displayName({ name: modelName, id }),
    version: displayText(modelVersion),
    state: typeof status === 'number' ? 'other' : STATES[status],
    status: words.status(status),
    training: words.training(job),
    dataset: displayText(dataset ?? datasetId),
    ...(createdAt && { submittedAt: createdAt.getTime() }),
    ...(startedAt && { startedAt: startedAt.getTime() }),
    ...(endedAt && { endedAt: endedAt.getTime() }),
  };
}

/** What is known of one job, and what can be done with it. */
export function jobDetail(
  job: TrainingJob,
  dataset: string | undefined,
  words: JobWords,
): JobDetail {
  const { status, error } = job;
  return {
    facts: words.facts(job, dataset).filter(({ value }) => value !== ''),
    ...(error !== undefined && { error: plainText(error) }),
    canCancel: isUnderWay(job) && status !== 'canceling',
    canDelete: mayHaveEnded(job),
    hasModel: status === 'completed',
    hasDataset: dataset !== undefined,
  };
}

/** Several lines stay several: a reason may quote the end of a log. */
function plainText(text: string): string {
  const lines = text.slice(0, LONGEST_ERROR).split(/\r\n|[\n\r]/);
  return lines.map((line) => displayText(line, LONGEST_ERROR)).join('\n');
}
