import assert from 'node:assert/strict';
import { Code } from '@connectrpc/connect';
import { platformName } from '../../../src/core/model/packageNames';
import {
  ModelFramework,
  ModelType,
  TrainingStatus,
} from '../../../src/gen/viam/app/mltraining/v1/ml_training_pb';
import { PackageType } from '../../../src/gen/viam/app/packages/v1/packages_pb';
import { Visibility } from '../../../src/gen/viam/app/v1/registry_pb';
import { assertRejected, type FleetUnderTest } from '../fleetFixture';
import { newWorkshop, uploadPackage } from '../packageFixture';
import { waitForJobEnd, newTrainingLab, type TrainingLab } from '../trainingFixture';

export function customTrainingContract(fleet: FleetUnderTest): void {
  describe('custom training jobs', () => {
    const toRequest = ({ organizationId, datasetId }: TrainingLab) => ({
      organizationId,
      datasetId,
      modelName: 'own',
      modelVersion: '1',
      registryItemId: `${organizationId}:learn`,
      registryItemVersion: '1.0.0',
      arguments: { comes_to: 'model' },
    });

    it('run a version of a training script', async () => {
      const lab = await newTrainingLab(fleet());
      const metadata = { model_type: 'object_detection', model_framework: 'tflite' };
      await uploadPackage(lab, { metadata }, [Buffer.from('script')]);
      const containerVersion = 'python:3';
      const request = { ...toRequest(lab), containerVersion };
      const { id } = await lab.training.submitCustomTrainingJob(request);
      const job = await waitForJobEnd(lab.training, id);
      assert.equal(job.status, TrainingStatus.COMPLETED, job.errorStatus?.message);
      assert.deepEqual([job.isCustomJob, job.containerVersion], [true, containerVersion]);
      assert.deepEqual(
        [job.registryItemId, job.registryItemVersion, job.arguments],
        [request.registryItemId, '1.0.0', { comes_to: 'model' }],
      );
      assert.deepEqual([job.modelType, job.tags], [ModelType.OBJECT_DETECTION, []]);
      assert.equal(job.modelFramework, ModelFramework.ONNX, 'that of the file it wrote');
      const { package: made } = await lab.packages.getPackage({ id: job.syncedModelId });
      assert.deepEqual(
        made?.info?.files.map(({ name, size }) => [name, name === 'dataset.jsonl' ? 0n : size]),
        [
          ['dataset.jsonl', 0n],
          ['model.onnx', 7n],
          ['script.bin', 6n],
        ],
      );
    });

    it('use the archive for the platform of the service, or the one for any platform', async () => {
      const lab = await newTrainingLab(fleet());
      const own = platformName(process.platform, process.arch);
      for (const [version, platforms] of Object.entries({
        own: ['android/386', 'any', own],
        any: ['android/386', 'any'],
        other: ['android/386'],
      })) {
        for (const platform of platforms) {
          await uploadPackage(lab, { version, platform }, [Buffer.alloc(platform.length + 1)]);
        }
      }
      const run = async (registryItemVersion: string) => {
        const request = {
          ...toRequest(lab),
          registryItemVersion,
          modelVersion: registryItemVersion,
        };
        const { id } = await lab.training.submitCustomTrainingJob(request);
        return waitForJobEnd(lab.training, id);
      };
      const bytesRun = async (version: string) => {
        const { syncedModelId: id } = await run(version);
        const { package: made } = await lab.packages.getPackage({ id, version });
        return made?.info?.files.find(({ name }) => name === 'script.bin')?.size;
      };
      assert.equal(await bytesRun('own'), BigInt(own.length + 1));
      assert.equal(await bytesRun('any'), 4n);
      const { status, errorStatus } = await run('other');
      assert.equal(status, TrainingStatus.FAILED);
      assert.match(
        errorStatus?.message ?? '',
        new RegExp(`no archive for ${own}, .*\\. It has archives for android/386\\. Upload`),
      );
    });

    it('run the newest version of a script on request, and report which version that is', async () => {
      const lab = await newTrainingLab(fleet());
      for (const version of ['9', '10']) await uploadPackage(lab, { version });
      const request = { ...toRequest(lab), registryItemVersion: 'latest' };
      const { id } = await lab.training.submitCustomTrainingJob(request);
      const readVersion = async (): Promise<string | undefined> =>
        (await lab.training.getTrainingJob({ id })).metadata?.registryItemVersion;
      assert.equal(await readVersion(), '10');
      assert.equal((await waitForJobEnd(lab.training, id)).status, TrainingStatus.COMPLETED);
      await uploadPackage(lab, { version: '1' });
      assert.equal(await readVersion(), '10', 'what was the newest when it was submitted');
      for (const version of ['1', '10', '9']) {
        await lab.packages.deletePackage({ id: `${lab.organizationId}/learn`, version });
      }
      await assertRejected(
        lab.training.submitCustomTrainingJob({ ...request, modelVersion: '2' }),
        Code.NotFound,
        /^training script ".*:learn latest"/,
      );
    });

    it('run public scripts of others, but not their private ones', async () => {
      const lab = await newTrainingLab(fleet());
      const other = await newWorkshop(fleet());
      await uploadPackage(other);
      const registryItemId = `${other.organizationId}:learn`;
      const request = { ...toRequest(lab), registryItemId };
      const submit = () => lab.training.submitCustomTrainingJob(request);
      await assertRejected(submit(), Code.NotFound, /^training script "/);
      await other.app.updateRegistryItem({
        itemId: registryItemId,
        type: PackageType.ML_TRAINING,
        description: 'learns',
        visibility: Visibility.PUBLIC,
      });
      const job = await waitForJobEnd(lab.training, (await submit()).id);
      assert.equal(job.status, TrainingStatus.COMPLETED, job.errorStatus?.message);
    });

    it('are rejected without a script version, and with arguments that no program accepts', async () => {
      const lab = await newTrainingLab(fleet());
      await uploadPackage(lab);
      await uploadPackage(lab, { name: 'model', type: PackageType.ML_MODEL });
      const { organizationId } = lab;
      const expectRejection = (change: object, code: Code, message: RegExp) =>
        assertRejected(
          lab.training.submitCustomTrainingJob({ ...toRequest(lab), ...change }),
          code,
          message,
        );
      const { NotFound, InvalidArgument } = Code;
      await expectRejection(
        { registryItemVersion: '2' },
        NotFound,
        /^training script ".*:learn 2"/,
      );
      await expectRejection(
        { registryItemId: `${organizationId}:model` },
        NotFound,
        /^training script "/,
      );
      await expectRejection(
        { registryItemId: `${organizationId}:none` },
        NotFound,
        /^training script "/,
      );
      await expectRejection({ arguments: { 'a b': '1' } }, InvalidArgument, /^arguments: "a b"/);
      await expectRejection({ arguments: { dataset_file: '/' } }, InvalidArgument, /dataset_file/);
      await expectRejection(
        { arguments: { epochs: '1\0' } },
        InvalidArgument,
        /^arguments\.epochs/,
      );
    });
  });
}
