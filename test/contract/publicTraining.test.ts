import assert from 'node:assert/strict';
import { mlTrainingApi } from '../publicClient/publicClient';
import { StagedTrainer } from '../support/stagedTrainer';
import { waitForValue } from '../support/waitUntil';
import {
  newRover,
  openPublicFleet,
  PUBLIC_PROTOCOLS,
  type PublicClient,
  type PublicFleet,
} from './publicFleet';

type Job = NonNullable<Awaited<ReturnType<PublicClient['mlTrainingClient']['getTrainingJob']>>>;

const { ModelType, TrainingStatus } = mlTrainingApi;

for (const protocol of PUBLIC_PROTOCOLS) {
  describe(`the public client trains over ${protocol}`, () => {
    let fleet: PublicFleet;
    let client: PublicClient;
    let organizationId: string;
    let datasetId: string;

    before(async () => {
      fleet = await openPublicFleet(protocol, { trainers: { managed: new StagedTrainer() } });
      ({ client } = fleet);
      ({ organizationId } = fleet.owner);
      datasetId = await datasetWithImage(fleet);
    });

    after(() => fleet.close());

    const submit = (tag: string, version: string): Promise<string> =>
      client.mlTrainingClient.submitTrainingJob(
        organizationId,
        datasetId,
        'cup-finder',
        version,
        ModelType.SINGLE_LABEL_CLASSIFICATION,
        [tag, 'cup'],
      );

    const jobWith = (id: string, status: number): Promise<Job> =>
      waitForValue(
        async () => {
          const job = await client.mlTrainingClient.getTrainingJob(id);
          return (job?.status as number | undefined) === status ? job : undefined;
        },
        { describeState: () => `status ${TrainingStatus[status]}` },
      );

    it('and submits, lists by status, cancels, and deletes jobs', async () => {
      const { mlTrainingClient: training } = client;
      const done = await submit('model', '1.0.0');
      const trained = await jobWith(done, TrainingStatus.COMPLETED);
      assert.equal(trained.syncedModelId, `${organizationId}/cup-finder`);
      assert.equal(trained.modelVersion, '1.0.0');
      const failed = await submit('fails', '2.0.0');
      const { errorStatus } = await jobWith(failed, TrainingStatus.FAILED);
      assert.match(errorStatus?.message ?? '', /add 12 more/);
      const waiting = await submit('waits', '3.0.0');
      await jobWith(waiting, TrainingStatus.IN_PROGRESS);
      const listed = async (status: (typeof TrainingStatus)[keyof typeof TrainingStatus]) =>
        (await training.listTrainingJobs(organizationId, status)).map(({ id }) => id);
      assert.deepEqual(await listed(TrainingStatus.IN_PROGRESS), [waiting]);
      assert.deepEqual(await listed(TrainingStatus.COMPLETED), [done]);
      assert.deepEqual(await listed(TrainingStatus.UNSPECIFIED), [waiting, failed, done]);
      await assert.rejects(training.deleteCompletedTrainingJob(waiting), /has not ended/);
      await training.cancelTrainingJob(waiting);
      await jobWith(waiting, TrainingStatus.CANCELED);
      for (const id of [waiting, failed, done]) {
        await training.deleteCompletedTrainingJob(id);
      }
      assert.deepEqual(await listed(TrainingStatus.UNSPECIFIED), []);
      await assert.rejects(training.getTrainingJob(done), /not found/);
    });

    it('and is denied an existing version, and scripts that no one has allowed', async () => {
      await jobWith(await submit('model', '4.0.0'), TrainingStatus.COMPLETED);
      await assert.rejects(submit('model', '4.0.0'), /has the version 4\.0\.0/);
      await assert.rejects(
        client.mlTrainingClient.submitCustomTrainingJob(
          organizationId,
          datasetId,
          `${organizationId}:learn`,
          '1.0.0',
          'cup-finder',
          '5.0.0',
        ),
        /--allow-custom-training, or in the VS Code settings/,
      );
    });
  });
}

async function datasetWithImage(fleet: PublicFleet): Promise<string> {
  const { dataClient } = fleet.client;
  const { part } = await newRover(fleet);
  const timestamp = new Date('2026-02-01T00:00:00.000Z');
  const id = await dataClient.binaryDataCaptureUpload(
    Buffer.from('x'),
    part.id,
    'rdk:component:camera',
    'cam',
    'ReadImage',
    '.jpg',
    [timestamp, timestamp],
    ['cup'],
  );
  const datasetId = await dataClient.createDataset('cups', fleet.owner.organizationId);
  await dataClient.addBinaryDataToDatasetByIds([id], datasetId);
  return datasetId;
}
