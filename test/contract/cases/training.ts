import assert from 'node:assert/strict';
import { Code } from '@connectrpc/connect';
import {
  ModelFramework,
  ModelType,
  TrainingStatus,
} from '../../../src/gen/viam/app/mltraining/v1/ml_training_pb';
import { PackageType } from '../../../src/gen/viam/app/packages/v1/packages_pb';
import { RegistryItemStatus, Visibility } from '../../../src/gen/viam/app/v1/registry_pb';
import { SHOUT_LINES, TALK_LINES } from '../../support/stagedTrainer';
import { capture } from '../dataFixture';
import { assertRejected, type FleetUnderTest, newOrganization } from '../fleetFixture';
import { uploadPackage } from '../packageFixture';
import {
  begunJob,
  waitForJobEnd,
  jobWhen,
  readJobLog,
  managedRequest,
  newTrainingLab,
  type TrainingLab,
} from '../trainingFixture';

const { ML_MODEL } = PackageType;
/** Status that a newer client could know. */
const UNKNOWN_STATUS = 17 as TrainingStatus;
const ABSENT = '00000000-0000-4000-8000-000000000000';

export function trainingContract(fleet: FleetUnderTest): void {
  describe('training jobs', () => {
    const submit = async (
      lab: TrainingLab,
      ...rest: [Parameters<typeof managedRequest>[1], string?]
    ) => (await lab.training.submitTrainingJob(managedRequest(lab, ...rest))).id;

    it('train a model that becomes a version in the registry', async () => {
      const lab = await newTrainingLab(fleet());
      const { training, app, packages, organizationId } = lab;
      const id = await submit(lab, 'model');
      const job = await waitForJobEnd(training, id);
      assert.equal(job.status, TrainingStatus.COMPLETED);
      assert.equal(job.syncedModelId, `${organizationId}/cup-finder`);
      assert.equal(job.errorStatus, undefined);
      assert.deepEqual(
        [job.id, job.datasetId, job.organizationId, job.modelName, job.modelVersion],
        [id, lab.datasetId, organizationId, 'cup-finder', '1.0.0'],
      );
      assert.deepEqual([job.isCustomJob, job.tags], [false, ['model', 'cup']]);
      assert.equal(job.modelType, ModelType.SINGLE_LABEL_CLASSIFICATION);
      assert.equal(job.modelFramework, ModelFramework.ONNX, 'what was made');
      for (const time of [
        job.createdOn,
        job.lastModified,
        job.trainingStarted,
        job.trainingEnded,
      ]) {
        assert.ok(time);
      }

      const { package: made } = await packages.getPackage({
        id: job.syncedModelId,
        version: '1.0.0',
        type: ML_MODEL,
      });
      assert.deepEqual(
        made?.info?.files.map(({ name }) => name),
        ['dataset.jsonl', 'model.onnx'],
      );
      assert.equal(made.info.files[1]?.size, 7n);
      assert.equal(made.info.metadata?.training_job_id, id);
      const { item } = await app.getRegistryItem({ itemId: `${organizationId}:cup-finder` });
      assert.equal(item?.visibility, Visibility.PRIVATE);
      assert.ok(item.metadata.case === 'mlModelMetadata');
      assert.equal(item.metadata.value.modelType, ModelType.SINGLE_LABEL_CLASSIFICATION);
      assert.equal(item.metadata.value.modelFramework, ModelFramework.ONNX);
      const statuses = [RegistryItemStatus.PUBLISHED];
      assert.equal((await app.listRegistryItems({ organizationId, statuses })).items.length, 1);
      const lines = await readJobLog(training, id);
      assert.deepEqual(lines.slice(0, 2), [
        'Dataset "cups"; images: 1.',
        'Epoch 2/2 - loss: 0.1000 - accuracy: 1.0000',
      ]);
      assert.match(lines.at(-1) ?? '', /^The model is stored as version 1\.0\.0 of /);
      await waitForJobEnd(training, await submit(lab, 'model', '1.1.0'));
      assert.equal((await packages.listPackages({ organizationId })).packages.length, 2);
    });

    it('fail with the reason, and release their version', async () => {
      const lab = await newTrainingLab(fleet());
      const { training } = lab;
      const failed = await waitForJobEnd(training, await submit(lab, 'fails'));
      assert.equal(failed.status, TrainingStatus.FAILED);
      assert.equal(failed.errorStatus?.code, Code.FailedPrecondition);
      assert.match(failed.errorStatus.message, /add 12 more/);
      assert.equal(failed.syncedModelId, '');
      const empty = await waitForJobEnd(training, await submit(lab, 'leaves-nothing'));
      assert.match(empty.errorStatus?.message ?? '', /produced no model/);
      const linked = await waitForJobEnd(training, await submit(lab, 'links-outside'));
      assert.match(
        linked.errorStatus?.message ?? '',
        /link labels\.txt points to .*, which is outside/,
      );
      const broken = await waitForJobEnd(training, await submit(lab, 'breaks'));
      assert.equal(broken.errorStatus?.code, Code.Internal);
      assert.doesNotMatch(broken.errorStatus.message, /slip/);
      const done = await waitForJobEnd(training, await submit(lab, 'model'));
      assert.equal(done.status, TrainingStatus.COMPLETED);
    });

    it('report when the dataset has no images or was deleted', async () => {
      const lab = await newTrainingLab(fleet());
      const { training, datasets, organizationId } = lab;
      const { id: datasetId } = await datasets.createDataset({ organizationId, name: 'texts' });
      const fileExtension = '.txt';
      await capture(lab, 2, { datasetIds: [datasetId], fileExtension });
      const { id } = await training.submitTrainingJob(
        managedRequest({ ...lab, datasetId }, 'model'),
      );
      const job = await waitForJobEnd(training, id);
      assert.match(job.errorStatus?.message ?? '', /"texts" has no images/);
    });

    it('can be canceled, and deleted after they end', async () => {
      const lab = await newTrainingLab(fleet());
      const { training } = lab;
      const id = await submit(lab, 'waits');
      await begunJob(training, id);
      await assertRejected(
        training.deleteCompletedTrainingJob({ id }),
        Code.FailedPrecondition,
        /has not ended: cancel it first/,
      );
      await Promise.all([training.cancelTrainingJob({ id }), training.cancelTrainingJob({ id })]);
      const job = await waitForJobEnd(training, id);
      assert.equal(job.status, TrainingStatus.CANCELED);
      assert.ok(job.trainingEnded);
      assert.equal(job.errorStatus, undefined);
      assert.equal((await readJobLog(training, id)).at(-1), 'Canceled.');
      await training.cancelTrainingJob({ id });
      assert.deepEqual((await training.getTrainingJob({ id })).metadata, job);
      await training.deleteCompletedTrainingJob({ id });
      await assertRejected(training.getTrainingJob({ id }), Code.NotFound, /^training job "/);
      await assertRejected(training.getTrainingJobLogs({ id }), Code.NotFound);
      await assertRejected(training.cancelTrainingJob({ id }), Code.NotFound);
      await assertRejected(training.deleteCompletedTrainingJob({ id }), Code.NotFound);
    });

    it('preserve their model when they are deleted', async () => {
      const lab = await newTrainingLab(fleet());
      const { training, packages, organizationId } = lab;
      const id = await submit(lab, 'model');
      await waitForJobEnd(training, id);
      await assertRejected(
        training.cancelTrainingJob({ id }),
        Code.FailedPrecondition,
        /has ended: there is nothing to cancel/,
      );
      await training.deleteCompletedTrainingJob({ id });
      assert.equal((await packages.listPackages({ organizationId })).packages.length, 1);
      await assertRejected(submit(lab, 'model'), Code.AlreadyExists, /^model_version: model "cup-/);
    });

    it('are listed by status, newest first', async () => {
      const lab = await newTrainingLab(fleet());
      const { training, organizationId } = lab;
      const failed = await submit(lab, 'fails');
      await waitForJobEnd(training, failed);
      const waiting = await submit(lab, 'waits', '2');
      await begunJob(training, waiting);
      const list = async (status?: TrainingStatus) =>
        (await training.listTrainingJobs({ organizationId, ...(status && { status }) })).jobs.map(
          ({ id }) => id,
        );
      assert.deepEqual(await list(), [waiting, failed]);
      assert.deepEqual(await list(TrainingStatus.UNSPECIFIED), [waiting, failed]);
      assert.deepEqual(await list(TrainingStatus.IN_PROGRESS), [waiting]);
      assert.deepEqual(await list(TrainingStatus.FAILED), [failed]);
      assert.deepEqual(await list(UNKNOWN_STATUS), []);
      const { id: other } = await newOrganization(fleet().owner);
      await assertRejected(training.listTrainingJobs({ organizationId: other }), Code.NotFound);
      await training.cancelTrainingJob({ id: waiting });
    });

    it('separate the versions of a model', async () => {
      const lab = await newTrainingLab(fleet());
      const { training, organizationId } = lab;
      const again = () => submit(lab, 'waits');
      const results = await Promise.allSettled([again(), again(), again()]);
      const [first] = results.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
      assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1);
      assert.ok(first);
      await assertRejected(again(), Code.AlreadyExists, /^model_version: another training job/);
      await training.cancelTrainingJob({ id: first });
      await waitForJobEnd(training, first);
      await uploadPackage(lab, { name: 'cup-finder', type: ML_MODEL, version: '1.0.0' });
      await assertRejected(again(), Code.AlreadyExists, /has the version 1\.0\.0/);
      await uploadPackage({ ...lab, organizationId });
      const request = { ...managedRequest(lab, 'model'), modelName: 'learn' };
      await assertRejected(
        training.submitTrainingJob(request),
        Code.AlreadyExists,
        /^model_name: .* is not a model/,
      );
    });

    it('are rejected when they cannot succeed', async () => {
      const lab = await newTrainingLab(fleet());
      const stranger = await newTrainingLab(fleet());
      const { training } = lab;
      const request = managedRequest(lab, 'model');
      const expectRejection = (change: object, code: Code, message?: RegExp) =>
        assertRejected(training.submitTrainingJob({ ...request, ...change }), code, message);
      const { InvalidArgument, NotFound } = Code;
      await expectRejection({ tags: [] }, InvalidArgument);
      await expectRejection({ tags: [''] }, InvalidArgument);
      await expectRejection({ tags: [`SVC_DATASET_${ABSENT}`] }, InvalidArgument, /^tags/);
      await expectRejection({ tags: ['cup\nplate'] }, InvalidArgument, /^tags: .* line breaks/);
      await expectRejection({ tags: ['x'.repeat(1001)] }, InvalidArgument, /^tags/);
      await expectRejection({ modelName: 'cup finder' }, InvalidArgument, /model_name/);
      await expectRejection({ modelVersion: '' }, InvalidArgument);
      await expectRejection({ modelVersion: 'latest' }, InvalidArgument, /model_version/);
      await expectRejection({ modelType: 17 }, InvalidArgument);
      await expectRejection({ modelType: ModelType.UNSPECIFIED }, InvalidArgument);
      await expectRejection({ modelFramework: ModelFramework.PYTORCH }, InvalidArgument, /ONNX/);
      await expectRejection({ datasetId: ABSENT }, NotFound, /^dataset "/);
      await expectRejection({ datasetId: stranger.datasetId }, NotFound, /^dataset "/);
      await expectRejection({ organizationId: stranger.organizationId }, NotFound);
      const { jobs } = await training.listTrainingJobs(request);
      assert.deepEqual(jobs, []);
    });

    it('accept the requests of clients of the public service', async () => {
      const lab = await newTrainingLab(fleet());
      const { TFLITE, ONNX } = ModelFramework;
      const request = { ...managedRequest(lab, 'model'), modelFramework: TFLITE };
      const { id } = await lab.training.submitTrainingJob(request);
      assert.equal((await waitForJobEnd(lab.training, id)).modelFramework, ONNX);
      const lines = await readJobLog(lab.training, id);
      assert.ok(lines.some((line) => /TFLITE was requested.*ONNX/.test(line)));
    });

    it('write their log in pages that a reader can continue from', async () => {
      const lab = await newTrainingLab(fleet());
      const { training } = lab;
      const id = await submit(lab, 'talks');
      await waitForJobEnd(training, id);
      const lines = await readJobLog(training, id);
      const talked = lines.filter((line) => line.startsWith('line '));
      assert.deepEqual(
        talked,
        Array.from({ length: TALK_LINES }, (_, index) => `line ${String(index)}`),
      );
      const first = await training.getTrainingJobLogs({ id });
      assert.equal(first.logs.length, 500);
      assert.deepEqual([first.logs[0]?.level, first.logs[0]?.time === undefined], ['info', false]);
      const pageToken = first.nextPageToken;
      const again = await training.getTrainingJobLogs({ id, pageToken });
      const twice = await training.getTrainingJobLogs({ id, pageToken });
      assert.deepEqual(again, twice);
      await assertRejected(
        training.getTrainingJobLogs({ id, pageToken: 'x' }),
        Code.InvalidArgument,
        /^page_token/,
      );
    });

    it('write their log in pages that any client accepts, even if lines are long', async () => {
      const lab = await newTrainingLab(fleet());
      const { training } = lab;
      const id = await submit(lab, 'shouts');
      await waitForJobEnd(training, id);
      const first = await training.getTrainingJobLogs({ id });
      const bytes = first.logs.reduce((sum, { message }) => sum + Buffer.byteLength(message), 0);
      assert.ok(bytes > 500_000 && bytes <= 1024 * 1024, `${String(bytes)} bytes`);
      const shouted = (await readJobLog(training, id)).filter((line) => line.startsWith('€'));
      assert.deepEqual(
        shouted.map((line) => line.split(' ')[1]),
        Array.from({ length: SHOUT_LINES }, (_, index) => String(index)),
      );
    });

    it('are deleted with their organization', async () => {
      const lab = await newTrainingLab(fleet());
      const { training, app, organizationId } = lab;
      const id = await submit(lab, 'waits');
      await begunJob(training, id);
      await app.deleteOrganization({ organizationId });
      await assert.rejects(training.getTrainingJob({ id }));
    });

    it('report when they changed', async () => {
      const lab = await newTrainingLab(fleet());
      const { training } = lab;
      const id = await submit(lab, 'waits');
      const running = await jobWhen(training, id, (job) => job.trainingStarted !== undefined);
      assert.ok(running.lastModified);
      assert.equal(running.trainingEnded, undefined);
      await training.cancelTrainingJob({ id });
      const ended = await waitForJobEnd(training, id);
      assert.deepEqual(ended.trainingEnded, ended.lastModified);
    });
  });
}
