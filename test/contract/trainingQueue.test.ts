import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { access, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Code, ConnectError } from '@connectrpc/connect';
import { RetryInfoSchema } from '../../src/gen/google/rpc/error_details_pb';
import { TrainingStatus } from '../../src/gen/viam/app/mltraining/v1/ml_training_pb';
import { PackageType } from '../../src/gen/viam/app/packages/v1/packages_pb';
import type { FleetServiceOptions } from '../../src/service/fleetService';
import { unavailable } from '../../src/service/errors';
import { type ObjectBucket, parseObjectsUrl } from '../../src/service/objects/objectBucket';
import { openObjectBucket } from '../../src/service/objects/openObjectBucket';
import type { ImageChoice } from '../../src/service/training/trainingRunner';
import { describeObjectStore, objectStoreForTests } from '../support/objectStore';
import { postgresForTests, type TestPostgres } from '../support/postgres';
import { type Outcome, StagedTrainer } from '../support/stagedTrainer';
import { TestClock } from '../support/testClock';
import { waitUntil } from '../support/waitUntil';
import { type Deployment, signInAsOwner, signInToken, startHttpDeployment } from './deployment';
import { capture } from './dataFixture';
import { assertRejected } from './fleetFixture';
import { uploadPackage } from './packageFixture';
import {
  begunJob,
  waitForJobEnd,
  jobWhen,
  readJobLog,
  managedRequest,
  newTrainingLab,
  type TrainingClient,
  createTrainingClient,
  type TrainingLab,
} from './trainingFixture';

const TIMEOUT_MS = 120_000;
const { COMPLETED, CANCELED, IN_PROGRESS, PENDING } = TrainingStatus;

describe('the queue of training jobs', function () {
  this.timeout(TIMEOUT_MS);
  const clock = new TestClock();
  const running: Deployment[] = [];
  let postgres: TestPostgres;
  let folder: string;

  before(async () => {
    postgres = await postgresForTests();
    folder = await mkdtemp(join(tmpdir(), 'fleetwright-test-'));
  });

  afterEach(async () => {
    await Promise.all(running.splice(0).map((deployment) => deployment.stop()));
  });

  after(async () => {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  });

  /**
   * Returns a database, and a content folder that all services share, because each service needs
   * the content of the images.
   */
  const shared = async () => ({
    databaseUrl: await postgres.url(),
    blobsDir: await mkdtemp(join(folder, 'blobs-')),
  });

  async function start(options: Partial<FleetServiceOptions>): Promise<Deployment> {
    const limits = { jobs: 1, beatMs: 20, ...options.trainingLimits };
    const all = { ...options, trainingLimits: limits };
    const deployment = await startHttpDeployment(clock, 'Connect', all);
    running.push(deployment);
    return deployment;
  }

  const openLab = async (deployment: Deployment): Promise<TrainingLab> =>
    newTrainingLab({ deployment, clock, owner: await signInAsOwner(deployment) });

  const submit = async (lab: TrainingLab, outcome: Outcome, version: string): Promise<string> =>
    (await lab.training.submitTrainingJob(managedRequest(lab, outcome, version))).id;

  /** Returns clients of the same owner for another service. */
  async function at(
    deployment: Deployment,
    key: Deployment['owner'],
  ): Promise<{ training: TrainingClient }> {
    const owner = await signInAsOwner(deployment);
    const token = await signInToken(deployment, { id: key.apiKeyId, key: key.apiKey });
    return { training: createTrainingClient({ deployment, clock, owner }, token) };
  }

  it('runs one job after the other, and cancels queued jobs immediately', async () => {
    const trainer = new StagedTrainer();
    const lab = await openLab(await start({ trainers: { managed: trainer } }));
    const { training } = lab;
    const first = await submit(lab, 'waits', '1');
    await begunJob(training, first);
    const [second, third, fourth] = [
      await submit(lab, 'model', '2'),
      await submit(lab, 'model', '3'),
      await submit(lab, 'model', '4'),
    ];
    await training.cancelTrainingJob({ id: second });
    const canceled = await training.getTrainingJob({ id: second });
    assert.equal(canceled.metadata?.status, CANCELED);
    assert.equal(canceled.metadata.trainingStarted, undefined);
    assert.equal((await training.getTrainingJob({ id: third })).metadata?.status, PENDING);
    assert.equal(trainer.begun.length, 1);
    await training.cancelTrainingJob({ id: first });
    assert.equal((await waitForJobEnd(training, fourth)).status, COMPLETED);
    assert.deepEqual(
      trainer.begun.map(({ folder }) => folder.split(/[/\\]/).at(-1)),
      [first, third, fourth],
    );
  });

  it('trains on the images of the dataset in the format of an export', async () => {
    const trainer = new StagedTrainer();
    const lab = await openLab(await start({ trainers: { managed: trainer } }));
    const { data, datasetId, imageId: first } = lab;
    const box = { xMinNormalized: 0, yMinNormalized: 0.25, xMaxNormalized: 0.5, yMaxNormalized: 1 };
    await data.addBoundingBoxToImageByID({ binaryDataId: first, label: 'handle', ...box });
    const datasetIds = [datasetId];
    const second = await capture(lab, 2, { datasetIds, fileExtension: '.png', fileName: '../x' });
    await capture(lab, 3, { datasetIds, fileExtension: '.txt' });
    await capture(lab, 4, { tags: ['cup'] });
    const id = await submit(lab, 'model', '1');
    await waitForJobEnd(lab.training, id);
    const [text = ''] = trainer.datasets;
    const lines = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    assert.deepEqual(
      lines.map((line) => [line.binary_data_id, line.image_path, line.classification_annotations]),
      [
        [first, `data/${first}.jpg`, [{ annotation_label: 'cup' }]],
        [second, `data/${second}.png`, []],
      ],
    );
    const [drawn] = lines[0]?.bounding_box_annotations as Record<string, unknown>[];
    assert.deepEqual(
      [drawn?.annotation_label, drawn?.x_max_normalized, drawn?.y_min_normalized],
      ['handle', 0.5, 0.25],
    );
    assert.equal(
      (await readJobLog(lab.training, id))[0],
      'Dataset "cups"; images: 2. Skipped because they are not JPEG or PNG images: 1.',
    );
  });

  it('copies the selected images, and reports what happened to the others', async () => {
    const trainer = new ChoosingTrainer();
    const lab = await openLab(await start({ trainers: { managed: trainer } }));
    const datasetIds = [lab.datasetId];
    for (const second of [2, 3, 4]) await capture(lab, second, { datasetIds, tags: ['plate'] });
    const id = await submit(lab, 'model', '1');
    await waitForJobEnd(lab.training, id);
    const [text = ''] = trainer.datasets;
    assert.deepEqual(
      text
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { tags: string[] }).tags),
      [['plate'], ['cup']],
    );
    assert.deepEqual(trainer.contents, [2], 'the third of them has no room');
    assert.deepEqual((await readJobLog(lab.training, id)).slice(0, 2), [
      'Dataset "cups"; images: 4.',
      'Took 2.',
    ]);
  });

  it('warns of images without stored contents, and fails if more than a fifth have none', async () => {
    const storage = await shared();
    const lab = await openLab(await start({ ...storage }));
    const datasetIds = [lab.datasetId];
    const contents = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((text) => Buffer.from(text));
    for (const [at, binary] of contents.entries()) {
      await capture(lab, at + 2, { datasetIds, tags: ['cup'], binary });
    }
    await loseContent(storage.blobsDir, 'a');
    const first = await submit(lab, 'model', '1');
    assert.equal((await waitForJobEnd(lab.training, first)).status, COMPLETED);
    const { logs } = await lab.training.getTrainingJobLogs({ id: first });
    const warned = logs.filter(({ level }) => level !== logs[0]?.level);
    assert.deepEqual(
      warned.map(({ message }) => message),
      ['Skipped because they are not stored by this service: 1 image.'],
    );
    await loseContent(storage.blobsDir, 'b');
    const second = await waitForJobEnd(lab.training, await submit(lab, 'model', '2'));
    assert.equal(second.errorStatus?.code, Code.FailedPrecondition);
    assert.match(
      second.errorStatus.message,
      /^Of 8 images in the dataset "cups", 2 are not stored by this service: .* remove those images/,
    );
  });

  it('reports no missing contents for images that exceed the space limit', async () => {
    const storage = await shared();
    const trainer = new ChoosingTrainer();
    const lab = await openLab(await start({ ...storage, trainers: { managed: trainer } }));
    const datasetIds = [lab.datasetId];
    for (const [at, text] of ['a', 'b', 'c', 'd'].entries()) {
      await capture(lab, at + 2, { datasetIds, tags: ['plate'], binary: Buffer.from(text) });
    }
    for (const text of ['c', 'd']) await loseContent(storage.blobsDir, text);
    const id = await submit(lab, 'model', '1');
    const { status, errorStatus } = await waitForJobEnd(lab.training, id);
    assert.equal(status, COMPLETED, errorStatus?.message);
    assert.deepEqual(trainer.contents, [2]);
    assert.deepEqual((await readJobLog(lab.training, id)).slice(0, 2), [
      'Dataset "cups"; images: 5.',
      'Took 2.',
    ]);
  });

  it('leaves a model only of completed jobs, at any time of a cancellation', async () => {
    const lab = await openLab(await start({ trainingLimits: { jobs: 4 } }));
    const { training, packages, organizationId } = lab;
    const rounds = Array.from({ length: 24 }, (_, index) => String(index));
    const jobs = await Promise.all(
      rounds.map(async (version) => {
        const id = await submit(lab, 'model', version);
        await sleep(Number(version) * 8);
        const canceled = await training.cancelTrainingJob({ id }).then(
          () => true,
          () => false,
        );
        const { status } = await waitForJobEnd(training, id);
        assert.equal(status, canceled ? CANCELED : COMPLETED);
        return { status, version };
      }),
    );
    const stored = (await packages.listPackages({ organizationId })).packages;
    assert.deepEqual(
      stored.map(({ info }) => info?.version).sort(),
      jobs.flatMap(({ status, version }) => (status === COMPLETED ? [version] : [])).sort(),
    );
  });

  it('fails a job whose version was uploaded in the meantime', async () => {
    const managed = new GatedTrainer();
    const lab = await openLab(await start({ trainers: { managed } }));
    const { training } = lab;
    const id = await submit(lab, 'model', '1.0.0');
    await jobWhen(training, id, ({ status }) => status === IN_PROGRESS);
    await uploadPackage(lab, {
      name: 'cup-finder',
      version: '1.0.0',
      type: PackageType.ML_MODEL,
    });
    managed.open();
    const { errorStatus } = await waitForJobEnd(training, id);
    assert.equal(errorStatus?.code, Code.AlreadyExists);
    assert.match(
      errorStatus.message,
      /was uploaded while the job was running\. Submit the job again/,
    );
  });

  it('reports what this service does not train', async () => {
    const lab = await openLab(await start({ trainers: {} }));
    await assertRejected(
      submit(lab, 'model', '1'),
      Code.FailedPrecondition,
      /can't train models by itself/,
    );
    const { organizationId, datasetId } = lab;
    await assertRejected(
      lab.training.submitCustomTrainingJob({
        organizationId,
        datasetId,
        modelName: 'own',
        modelVersion: '1',
        registryItemId: `${organizationId}:learn`,
        registryItemVersion: '1',
      }),
      Code.FailedPrecondition,
      /--allow-custom-training/,
    );
  });

  it('limits the number of queued jobs, including those submitted at the same time', async () => {
    const lab = await openLab(await start(await shared()));
    await begunJob(lab.training, await submit(lab, 'waits', 'first'));
    for (let version = 0; version < 99; version += 1) {
      await submit(lab, 'waits', String(version));
    }
    const outcomes = await Promise.allSettled(
      Array.from({ length: 8 }, (_, n) => submit(lab, 'waits', `same-${String(n)}`)),
    );
    assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1);
    await assert.rejects(submit(lab, 'waits', 'last'), (error) => {
      const { code, rawMessage } = ConnectError.from(error);
      assert.equal(code, Code.ResourceExhausted);
      assert.match(rawMessage, /^100 training jobs of the organization are already waiting/);
      const [hint] = ConnectError.from(error).findDetails(RetryInfoSchema);
      assert.equal(hint?.retryDelay?.seconds, 60n);
      return true;
    });
  });

  it('continues a job when a service restarts', async () => {
    const storage = await shared();
    const deployment = await start({ ...storage });
    const lab = await openLab(deployment);
    const id = await submit(lab, 'waits', '1');
    await begunJob(lab.training, id);
    await deployment.stop();
    running.length = 0;
    const again = await start({ ...storage, trainers: { managed: new ModelTrainer() } });
    const { training } = await at(again, deployment.owner);
    assert.equal((await waitForJobEnd(training, id)).status, COMPLETED);
    const lines = await readJobLog(training, id);
    assert.ok(
      lines.includes('The service is stopping. The training starts over when it runs again.'),
    );
  });

  it('runs each job once if services share a database', async () => {
    const storage = await shared();
    const trainers = [new StagedTrainer(), new StagedTrainer()];
    const services = [];
    for (const managed of trainers) {
      services.push(
        await start({ ...storage, trainers: { managed }, trainingLimits: { jobs: 2 } }),
      );
    }
    const [deployment] = services;
    assert.ok(deployment);
    const lab = await openLab(deployment);
    const ids = await Promise.all(
      Array.from({ length: 12 }, (_, index) => submit(lab, 'model', String(index))),
    );
    for (const id of ids) {
      const job = await waitForJobEnd(lab.training, id);
      assert.equal(job.status, COMPLETED, job.errorStatus?.message);
    }
    const begun = trainers.flatMap((trainer) => trainer.begun.map(({ folder }) => folder));
    assert.equal(begun.length, ids.length);
  });

  it('cancels a job that another service runs', async () => {
    const storage = await shared();
    const deployment = await start({ ...storage });
    const lab = await openLab(deployment);
    const id = await submit(lab, 'waits', '1');
    await begunJob(lab.training, id);
    const { training } = await at(await start({ ...storage }), deployment.owner);
    await training.cancelTrainingJob({ id });
    assert.equal((await waitForJobEnd(training, id)).status, CANCELED);
  });

  it('reclaims the job of a service without heartbeats', async () => {
    const storage = await shared();
    // The heartbeat interval of this service is one hour, so the other service considers it dead.
    const deployment = await start({ ...storage, trainingLimits: { beatMs: 3_600_000 } });
    const lab = await openLab(deployment);
    const id = await submit(lab, 'waits', '1');
    await begunJob(lab.training, id);
    const managed = new ModelTrainer();
    const limits = { silentSeconds: 0.2 };
    await start({ ...storage, trainers: { managed }, trainingLimits: limits });
    const job = await jobWhen(lab.training, id, ({ status }) => status !== IN_PROGRESS);
    assert.ok(job.status !== CANCELED);
    assert.equal((await waitForJobEnd(lab.training, id)).status, COMPLETED);
    const lines = await readJobLog(lab.training, id);
    assert.ok(lines.includes('The service that ran this job exited. The training starts over.'));
  });
});

describeObjectStore('a training job on contents in a bucket', function () {
  this.timeout(TIMEOUT_MS);
  const clock = new TestClock();
  let folder: string;
  let bucket: ObjectBucket;
  let deployment: Deployment;
  /** True while reads and writes of the bucket fail. */
  let isCut = false;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fleetwright-test-'));
    const url = await (await objectStoreForTests()).createBucket();
    const location = parseObjectsUrl(url);
    assert.ok(typeof location === 'object');
    bucket = await openObjectBucket(location);
    const unlessCut =
      <A extends unknown[], T>(work: (...args: A) => Promise<T>) =>
      async (...args: A): Promise<T> => {
        if (isCut) throw unavailable('the connection is cut');
        return work(...args);
      };
    const cuttable: ObjectBucket = Object.assign(Object.create(bucket) as ObjectBucket, {
      get: unlessCut(bucket.get.bind(bucket)),
      put: unlessCut(bucket.put.bind(bucket)),
    });
    const cacheDirectory = join(folder, 'cache');
    deployment = await startHttpDeployment(clock, 'Connect', {
      trainers: { managed: new StagedTrainer() },
      objects: { bucket: cuttable, cacheDirectory, cacheBytes: 0 },
      trainingLimits: { jobs: 1, beatMs: 20 },
    });
  });

  after(async () => {
    await deployment.stop();
    bucket.close();
    await rm(folder, { recursive: true });
  });

  it('waits while the bucket does not respond', async () => {
    const owner = await signInAsOwner(deployment);
    const lab = await newTrainingLab({ deployment, clock, owner });
    isCut = true;
    const { id } = await lab.training.submitTrainingJob(managedRequest(lab, 'model', '1'));
    await waitUntil(async () => {
      const lines = await readJobLog(lab.training, id);
      return lines.some((line) => line.includes('storage of the fleet service'));
    });
    const { metadata } = await lab.training.getTrainingJob({ id });
    assert.equal(metadata?.status, IN_PROGRESS);
    isCut = false;
    assert.equal((await waitForJobEnd(lab.training, id)).status, COMPLETED);
  });
});

/** Deletes a content file, as if another service had stored it. */
async function loseContent(blobsDir: string, content: string): Promise<void> {
  const hash = createHash('sha256').update(content).digest('hex');
  const entries = await readdir(blobsDir, { recursive: true });
  const name = entries.find((entry) => entry.replace(/[/\\]/, '') === hash) ?? assert.fail(hash);
  await rm(join(blobsDir, name));
}

/** A trainer that waits until the test releases it. */
class GatedTrainer extends StagedTrainer {
  private readonly gate = Promise.withResolvers<undefined>();

  open(): void {
    this.gate.resolve(undefined);
  }

  override async run(...args: Parameters<StagedTrainer['run']>): Promise<void> {
    await this.gate.promise;
    await super.run(...args);
  }
}

/** A trainer that selects at most two images, those with the tag `plate` first. */
class ChoosingTrainer extends StagedTrainer {
  /** Number of files that each training job received. */
  readonly contents: number[] = [];

  choice(): ImageChoice {
    const found: { id: string; isFirst: boolean }[] = [];
    let taken = 0;
    return {
      consider: (id, line) => found.push({ id, isFirst: line.includes('plate') }),
      chosen: () => {
        const [plate = assert.fail(), ...plates] = found.filter(({ isFirst }) => isFirst);
        const others = found.filter(({ isFirst }) => !isFirst);
        return [plate, ...others, ...plates].map(({ id }) => id);
      },
      hasRoomFor: async (file) => {
        await access(file);
        return ++taken <= 2;
      },
      toLogLines: (count) => [{ level: 'info', message: `Took ${String(count)}.` }],
    };
  }

  override async run(...args: Parameters<StagedTrainer['run']>): Promise<void> {
    this.contents.push((await readdir(join(args[0].folder, 'data'))).length);
    await super.run(...args);
  }
}

/** A trainer that always produces a model. */
class ModelTrainer extends StagedTrainer {
  protected override getOutcome(): Outcome {
    return 'model';
  }
}
