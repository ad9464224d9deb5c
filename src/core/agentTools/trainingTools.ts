import { readReadiness } from '../data/datasets/datasetReadiness';
import { datasetId, trainingJobId } from '../model/ids';
import type { TrainingJob } from '../model/trainingJob';
import { TrainingLogReader } from '../training/trainingLogReader';
import { type AgentTool, LONG_TIMEOUT_MS, readTool } from './agentTool';
import { fromOffset, OFFSET, ORGANIZATION, requireOrganization } from './toolParameters';
import { LIMIT_SENTENCE, MAX_ROWS } from './toolAnswer';
import { choice, flag, id, integer, json, list, object, optional, text, time } from './toolSchema';

const listDatasets = readTool({
  name: 'fleetwright_list_datasets',
  title: 'List Datasets',
  description: `Lists the datasets of an organization. ${LIMIT_SENTENCE}`,
  input: object({ organizationId: ORGANIZATION, offset: OFFSET }),
  output: object({
    datasets: list(
      object({ id: id(), name: text(), organizationId: id(), createdAt: optional(time()) }),
    ),
  }),
  rows: 'datasets',
  run: async ({ organizationId, offset }, context) => {
    const { stores, signal } = context;
    const organization = await requireOrganization(context, organizationId);
    const datasets = await stores.datasets.list(organization, { signal, fresh: true });
    const rows = datasets.map((dataset) => ({
      ...dataset,
      createdAt: dataset.createdOn?.toISOString(),
    }));
    return { data: { datasets: fromOffset(rows, offset) } };
  },
});

const checkDataset = readTool({
  name: 'fleetwright_check_dataset',
  title: 'Check Dataset Readiness',
  description: `Checks whether a dataset is ready for training: numbers of images and of examples per label, for object detection and for classification, and what is missing. Reads all items of the dataset. ${LIMIT_SENTENCE}`,
  permission: 'read_robot_data_management',
  input: object({ datasetId: id('ID of the dataset.') }),
  output: object({
    name: text(),
    items: integer(),
    images: integer(),
    bytes: integer(),
    trainings: list(
      object({
        kind: choice(['detection', 'classification']),
        isReady: flag(),
        labeledImages: integer(),
        missingImages: integer(),
        missingLabeledImages: integer(),
        labels: list(
          object({ label: text(), examples: integer(), missing: integer() }),
          `At most ${MAX_ROWS} labels, most frequent first.`,
        ),
        unlabeledImageIds: list(id(), 'The first unlabeled images.'),
      }),
    ),
  }),
  timeoutMs: LONG_TIMEOUT_MS,
  run: async ({ datasetId: requestedId }, { stores, signal, reportProgress }) => {
    const {
      id: dataset,
      organizationId,
      name,
    } = await stores.datasets.get(datasetId(requestedId), signal);
    const readiness = await readReadiness(
      stores.binaryData,
      { organizationId, datasetId: dataset },
      { signal, onProgress: reportProgress },
    );
    const trainings = readiness.trainings.map((training) => ({
      kind: training.kind,
      isReady: training.isReady,
      labeledImages: training.labeled,
      missingImages: training.missingImages,
      missingLabeledImages: training.missingLabeled,
      labels: training.labels
        .slice(0, MAX_ROWS)
        .map(({ label, count, missing }) => ({ label, examples: count, missing })),
      unlabeledImageIds: training.unlabeled.slice(0, MAX_ROWS).map((item) => item.id),
    }));
    return { data: { ...readiness, name, trainings } };
  },
});

const JOB = {
  id: id(),
  organizationId: id(),
  datasetId: id(),
  modelName: text(),
  modelVersion: text(),
  task: text(),
  status: text(),
  error: optional(text()),
  script: optional(text('Training script and its version; absent for managed jobs.')),
  createdAt: optional(time()),
  startedAt: optional(time()),
  endedAt: optional(time()),
} as const;

const listTrainingJobs = readTool({
  name: 'fleetwright_list_training_jobs',
  title: 'List Training Jobs',
  description: `Lists the training jobs of an organization with their status, newest first. ${LIMIT_SENTENCE}`,
  permission: 'train_models',
  input: object({ organizationId: ORGANIZATION, offset: OFFSET }),
  output: object({ jobs: list(object(JOB)) }),
  rows: 'jobs',
  run: async ({ organizationId, offset }, context) => {
    const { stores, signal } = context;
    const organization = await requireOrganization(context, organizationId);
    const jobs = await stores.training.list(organization, { signal, fresh: true });
    return { data: { jobs: fromOffset(jobs, offset).map(toJobRow) } };
  },
});

function toJobRow(job: TrainingJob) {
  return {
    id: job.id,
    organizationId: job.organizationId,
    datasetId: job.datasetId,
    modelName: job.modelName,
    modelVersion: job.modelVersion,
    task: job.task,
    status: String(job.status),
    error: job.error,
    script: job.script && `${job.script.itemId}@${job.script.version}`,
    createdAt: job.createdAt?.toISOString(),
    startedAt: job.startedAt?.toISOString(),
    endedAt: job.endedAt?.toISOString(),
  };
}

const getTrainingJob = readTool({
  name: 'fleetwright_get_training_job',
  title: 'View Training Job',
  description: `Returns a training job with its status, arguments, labels, and the metrics of each epoch that its log reports, such as loss and val_accuracy. ${LIMIT_SENTENCE}`,
  permission: 'train_models',
  input: object({ jobId: id('ID of the training job.') }),
  output: object({
    ...JOB,
    labels: list(text()),
    arguments: json('Arguments of the training script.'),
    epoch: optional(integer('Current or last epoch.')),
    epochs: optional(integer('Planned number of epochs.')),
    metrics: list(json('Metrics of an epoch.')),
  }),
  rows: 'metrics',
  timeoutMs: LONG_TIMEOUT_MS,
  run: async ({ jobId }, { stores, signal }) => {
    const job = await stores.training.get(trainingJobId(jobId), signal);
    const log = new TrainingLogReader((token, reading) =>
      stores.training.logs(job.id, token, reading),
    );
    await log.read(signal);
    const { epoch, epochs, points } = log.progress;
    // The latest epochs are the most interesting.
    const metrics = points
      .slice(-MAX_ROWS)
      .map((point) => ({ epoch: point.epoch, ...Object.fromEntries(point.metrics) }));
    return {
      data: {
        ...toJobRow(job),
        labels: job.labels,
        arguments: job.arguments,
        epoch,
        epochs,
        metrics,
      },
      total: points.length,
    };
  },
});

const readTrainingLog = readTool({
  name: 'fleetwright_read_training_log',
  title: 'Read Training Log',
  description: `Reads the log of a training job: its last lines by default, or the lines from a given one. ${LIMIT_SENTENCE}`,
  permission: 'train_models',
  input: object({
    jobId: id('ID of the training job.'),
    firstLine: optional(
      integer('Index of the first line to return; the last 100 lines by default.', {
        min: 0,
        max: 10_000_000,
      }),
    ),
  }),
  output: object({
    lines: list(object({ at: optional(time()), level: text(), message: text() })),
    firstLine: integer('Index of the first line in this answer.'),
    lineCount: integer('Number of lines in the log so far.'),
  }),
  rows: 'lines',
  timeoutMs: LONG_TIMEOUT_MS,
  run: async ({ jobId, firstLine }, { stores, signal }) => {
    const target = trainingJobId(jobId);
    const log = new TrainingLogReader((token, reading) =>
      stores.training.logs(target, token, reading),
    );
    await log.read(signal);
    const { lines, dropped } = log;
    const lineCount = dropped + lines.length;
    const first = Math.max(dropped, firstLine ?? lineCount - MAX_ROWS);
    const rows = lines.slice(first - dropped, first - dropped + MAX_ROWS);
    return {
      data: {
        lines: rows.map(({ at, level, message }) => ({ at: at?.toISOString(), level, message })),
        firstLine: first,
        lineCount,
      },
      total: lineCount,
    };
  },
});

export const trainingTools: readonly AgentTool[] = [
  listDatasets,
  checkDataset,
  listTrainingJobs,
  getTrainingJob,
  readTrainingLog,
];
