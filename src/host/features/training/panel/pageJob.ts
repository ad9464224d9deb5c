import { displayName, toDisplayText } from '../../../../core/model/displayText';
import { isInProgress, mightHaveEnded, type TrainingJob } from '../../../../core/model/trainingJob';
import type {
  JobDetail,
  JobFact,
  JobProgress,
  JobSeries,
  JobState,
  PageJob,
  PageJobs,
} from '../../../../shared/training';
import type { ReadJobs } from './trainingSession';
import type { TrainingProgress } from '../../../../core/training/trainingLogReader';

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
   * Returns the facts about a job, omitting facts without values.
   * @param dataset name of the dataset, if known
   */
  readonly facts: (job: TrainingJob, dataset: string | undefined) => readonly JobFact[];
}

/** Converts an organization's jobs to the form that the list displays. */
export function pageJobs(
  { organization, jobs, datasets }: ReadJobs,
  labels: JobLabels,
  readOnly?: string,
): PageJobs {
  return {
    organization: toDisplayText(organization),
    jobs: jobs.map((job) => pageJob(job, datasets.get(job.datasetId), labels)),
    ...(readOnly !== undefined && { readOnly }),
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

/**
 * Returns details about one job and the available actions.
 * @param isReadOnly true if the connection is read-only
 */
export function jobDetail(
  job: TrainingJob,
  dataset: string | undefined,
  labels: JobLabels,
  isReadOnly = false,
): JobDetail {
  const { status, error } = job;
  return {
    facts: labels.facts(job, dataset).filter(({ value }) => value !== ''),
    ...(error !== undefined && { error: toDisplayLines(error) }),
    canCancel: !isReadOnly && isInProgress(job) && status !== 'canceling',
    canDelete: !isReadOnly && mightHaveEnded(job),
    canSubmit: !isReadOnly,
    canDeploy: !isReadOnly && status === 'completed',
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

/** Matches reported values that are not quality metrics. */
const SETTINGS = /^(?:lr|learning_?rate|eta|momentum|time|step)$/;
const LOSS = /loss|^(?:val_)?(?:mae|mse|rmse)$/;
/** Maximum number of chart lines that users can distinguish. */
const MAX_SERIES = 6;

/**
 * Returns a training job's progress. Groups its metrics by kind: losses, and values from 0 to 1,
 * which normally increase.
 */
export function pageProgress({ epoch, epochs, points }: TrainingProgress): JobProgress {
  const all = toSeries(points).filter(({ name }) => !SETTINGS.test(name));
  const losses = all.filter(({ name }) => LOSS.test(name));
  const qualities = all.filter((one) => !losses.includes(one) && one.values.every(isShare));
  return {
    ...(epoch !== undefined && { epoch }),
    ...(epochs !== undefined && { epochs }),
    losses: losses.slice(0, MAX_SERIES),
    qualities: qualities.slice(0, MAX_SERIES),
  };
}

function isShare(value: number): boolean {
  return value >= 0 && value <= 1;
}

function toSeries(points: TrainingProgress['points']): readonly JobSeries[] {
  const series = new Map<string, { epochs: number[]; values: number[] }>();
  for (const { epoch, metrics } of points) {
    for (const [name, value] of metrics) {
      const one = series.get(name) ?? { epochs: [], values: [] };
      one.epochs.push(epoch);
      one.values.push(value);
      series.set(name, one);
    }
  }
  return [...series].map(([name, values]) => ({ name, ...values }));
}
