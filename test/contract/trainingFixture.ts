import { type Client, createClient } from '@connectrpc/connect';
import {
  MLTrainingService,
  ModelType,
  type TrainingJobMetadata,
  TrainingStatus,
} from '../../src/gen/viam/app/mltraining/v1/ml_training_pb';
import type { Outcome } from '../support/stagedTrainer';
import { waitForValue, waitUntil } from '../support/waitUntil';
import { capture, type Lab, newLab } from './dataFixture';
import { bearerTransport } from './deployment';
import type { Fleet } from './fleetFixture';
import { type RegistryClients, createRegistryClients } from './packageFixture';

export type TrainingClient = Client<typeof MLTrainingService>;

/** An organization with a dataset of one image, and its owner. */
export interface TrainingLab extends Lab, RegistryClients {
  training: TrainingClient;
  datasetId: string;
  imageId: string;
}

/** Returns the training client of a token's owner. */
export function createTrainingClient({ deployment }: Fleet, token: string): TrainingClient {
  return createClient(MLTrainingService, bearerTransport(deployment, token));
}

export async function newTrainingLab(fleet: Fleet): Promise<TrainingLab> {
  const lab = await newLab(fleet);
  const { organizationId } = lab;
  const { id: datasetId } = await lab.datasets.createDataset({ organizationId, name: 'cups' });
  const imageId = await capture(lab, 1, { tags: ['cup'], datasetIds: [datasetId] });
  return {
    ...lab,
    ...createRegistryClients(fleet, lab.token),
    training: createTrainingClient(fleet, lab.token),
    datasetId,
    imageId,
  };
}

/** Returns the request for a managed job with the given outcome. */
export function managedRequest(
  { organizationId, datasetId }: Pick<TrainingLab, 'organizationId' | 'datasetId'>,
  outcome: Outcome,
  modelVersion = '1.0.0',
) {
  return {
    organizationId,
    datasetId,
    modelName: 'cup-finder',
    modelVersion,
    modelType: ModelType.SINGLE_LABEL_CLASSIFICATION,
    tags: [outcome, 'cup'],
  };
}

const ENDED: readonly TrainingStatus[] = [
  TrainingStatus.COMPLETED,
  TrainingStatus.FAILED,
  TrainingStatus.CANCELED,
];

/** Waits until a job meets a condition. */
export async function jobWhen(
  training: TrainingClient,
  id: string,
  isExpected: (job: TrainingJobMetadata) => boolean,
): Promise<TrainingJobMetadata> {
  let status = TrainingStatus.UNSPECIFIED;
  return waitForValue(
    async () => {
      const { metadata } = await training.getTrainingJob({ id });
      status = metadata?.status ?? status;
      return metadata && isExpected(metadata) ? metadata : undefined;
    },
    { describeState: () => `${String(isExpected)}; status ${TrainingStatus[status]}` },
  );
}

/** Waits until a job has ended. */
export function waitForJobEnd(training: TrainingClient, id: string): Promise<TrainingJobMetadata> {
  return jobWhen(training, id, ({ status }) => ENDED.includes(status));
}

/** Waits until a job that runs until it is stopped has started and logged its first epoch. */
export async function begunJob(training: TrainingClient, id: string): Promise<TrainingJobMetadata> {
  const job = await jobWhen(training, id, ({ status }) => status === TrainingStatus.IN_PROGRESS);
  await waitUntil(async () => {
    const { logs } = await training.getTrainingJobLogs({ id });
    return logs.some(({ message }) => message.startsWith('Epoch'));
  });
  return job;
}

/** Returns the whole log of a job, loaded page by page. */
export async function readJobLog(training: TrainingClient, id: string): Promise<string[]> {
  const lines: string[] = [];
  let pageToken = '';
  do {
    const { logs, nextPageToken } = await training.getTrainingJobLogs({ id, pageToken });
    lines.push(...logs.map(({ message }) => message));
    pageToken = nextPageToken;
  } while (pageToken !== '');
  return lines;
}
