import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { type FleetService, openFleetService } from '../../src/service/fleetService';
import { type FleetServer, startFleetServer } from '../../src/service/server/fleetServer';
import {
  connectPublicClient,
  mlTrainingApi,
  type PublicClientProtocol,
} from '../publicClient/publicClient';
import { silentLogger } from '../support/silentLogger';
import { StagedTrainer } from '../support/stagedTrainer';

type PublicClient = Awaited<ReturnType<typeof connectPublicClient>>;
type Job = NonNullable<Awaited<ReturnType<PublicClient['mlTrainingClient']['getTrainingJob']>>>;

const PROTOCOLS: PublicClientProtocol[] = ['grpc-web', 'grpc'];
const { ModelType, TrainingStatus } = mlTrainingApi;
const LOOK_AGAIN_MS = 10;

for (const protocol of PROTOCOLS) {
  describe(`the public client trains over ${protocol}`, () => {
    let service: FleetService;
    let server: FleetServer;
    let client: PublicClient;
    let organizationId: string;
    let datasetId: string;

    before(async () => {
      service = await openFleetService({
        logger: silentLogger,
        trainers: { managed: new StagedTrainer() },
      });
      const owner = await service.bootstrap();
      ({ organizationId } = owner);
      const { routes, interceptors } = service;
      server = await startFleetServer({
        ...{ host: '127.0.0.1', port: 0, logger: silentLogger },
        ...{ routes, interceptors },
      });
      client = await connectPublicClient({ url: server.url, ...owner }, protocol);
      datasetId = await datasetWithImage(client, organizationId);
    });

    after(async () => {
      await server.close();
      await service.close();
    });

    const submit = (tag: string, version: string): Promise<string> =>
      client.mlTrainingClient.submitTrainingJob(
        ...([organizationId, datasetId, 'cup-finder', version] as const),
        ModelType.SINGLE_LABEL_CLASSIFICATION,
        [tag, 'cup'],
      );

    async function jobWith(id: string, status: number): Promise<Job> {
      for (;;) {
        const job = await client.mlTrainingClient.getTrainingJob(id);
        if (job && (job.status as number) === status) return job;
        await sleep(LOOK_AGAIN_MS);
      }
    }

    it('submits, lists by status, cancels and deletes', async () => {
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
      await assert.rejects(training.getTrainingJob(done), /does not exist/);
    });

    it('is refused a version that is there, and scripts that nobody has allowed', async () => {
      await jobWith(await submit('model', '4.0.0'), TrainingStatus.COMPLETED);
      await assert.rejects(submit('model', '4.0.0'), /has the version 4\.0\.0/);
      await assert.rejects(
        client.mlTrainingClient.submitCustomTrainingJob(
          ...([organizationId, datasetId, `${organizationId}:learn`] as const),
          ...(['1.0.0', 'cup-finder', '5.0.0'] as const),
        ),
        /--allow-custom-training/,
      );
    });
  });
}

async function datasetWithImage(client: PublicClient, organizationId: string): Promise<string> {
  const { appClient, dataClient } = client;
  const location = await appClient.createLocation(organizationId, 'Hall');
  const robotId = await appClient.newRobot(location?.id ?? '', 'arm');
  const [part] = await appClient.getRobotParts(robotId);
  const moment = new Date('2026-02-01T00:00:00.000Z');
  const id = await dataClient.binaryDataCaptureUpload(
    ...([Buffer.from('x'), part?.id ?? '', 'rdk:component:camera', 'cam', 'ReadImage'] as const),
    '.jpg',
    [moment, moment],
    ['cup'],
  );
  const datasetId = await dataClient.createDataset('cups', organizationId);
  await dataClient.addBinaryDataToDatasetByIds([id], datasetId);
  return datasetId;
}
