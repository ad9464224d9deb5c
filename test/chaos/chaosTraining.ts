import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '@connectrpc/connect';
import { packBuild } from '../../src/archives/packBuild';
import { DataService } from '../../src/gen/viam/app/data/v1/data_pb';
import { DatasetService } from '../../src/gen/viam/app/dataset/v1/dataset_pb';
import {
  MLTrainingService,
  TrainingStatus,
} from '../../src/gen/viam/app/mltraining/v1/ml_training_pb';
import { PackageService } from '../../src/gen/viam/app/packages/v1/packages_pb';
import { uploadPackage } from '../contract/packageFixture';
import type { ChaosCalls } from './chaosCalls';
import type { ChaosNode } from './chaosNode';
import { type ChaosPart, uploadImage } from './chaosParts';

const PAUSE_MS = 20_000;
const POLL_MS = 500;
/** Script that saves the number of images as a model. */
const SCRIPT = `
import argparse, os
parser = argparse.ArgumentParser()
for name in ('dataset_file', 'model_output_directory'):
    parser.add_argument('--' + name)
options = parser.parse_args()
with open(os.path.join(options.model_output_directory, 'model.onnx'), 'w') as model:
    model.write(str(len(open(options.dataset_file).readlines())))
`;

/** Submits training jobs to a node that runs none, so that the other one must run them. */
export class ChaosTraining {
  /** Number of jobs by the state in which they ended. */
  readonly ended: Record<string, number> = {};
  private datasetId = '';

  constructor(
    private readonly calls: ChaosCalls,
    private readonly submitter: ChaosNode,
  ) {}

  /** Uploads the script, and creates a dataset with one image of a part. */
  async prepare(part: ChaosPart): Promise<void> {
    const folder = mkdtempSync(join(tmpdir(), 'fleetwright-test-'));
    mkdirSync(join(folder, 'model'));
    writeFileSync(join(folder, 'model', 'training.py'), SCRIPT);
    const archive: Uint8Array[] = [];
    const { signal } = new AbortController();
    for await (const chunk of packBuild(folder, { signal })) archive.push(chunk);
    rmSync(folder, { recursive: true });
    const image = uploadImage(part, 'training', Buffer.from('image'), ['cup']);
    const imageId = await this.calls.call(image);
    await this.calls.call(async ({ owner: { organizationId }, open, token }) => {
      const transport = open(token);
      const packages = createClient(PackageService, transport);
      await uploadPackage({ packages, organizationId }, {}, archive);
      const { id } = await createClient(DatasetService, transport).createDataset({
        organizationId,
        name: 'images',
      });
      this.datasetId = id;
      await createClient(DataService, transport).addBinaryDataToDatasetByIDs({
        binaryDataIds: [imageId],
        datasetId: id,
      });
    });
  }

  async run(over: AbortSignal): Promise<void> {
    for (let version = 1; !over.aborted; version += 1) {
      const id = await this.submit(`1.0.${String(version)}`);
      if (id !== undefined) await this.waitForEnd(id);
      await sleep(PAUSE_MS, undefined, { signal: over }).catch(() => undefined);
    }
  }

  private async submit(modelVersion: string): Promise<string | undefined> {
    const { calls, datasetId } = this;
    try {
      const { id } = await calls.call(
        ({ owner: { organizationId }, open, token }, signal) =>
          createClient(MLTrainingService, open(token)).submitCustomTrainingJob(
            {
              organizationId,
              datasetId,
              modelName: 'counter',
              modelVersion,
              registryItemId: `${organizationId}:learn`,
              registryItemVersion: '1.0.0',
            },
            { signal },
          ),
        [this.submitter],
      );
      return id;
    } catch {
      return undefined;
    }
  }

  private async waitForEnd(id: string): Promise<void> {
    for (;;) {
      const { metadata } = await this.calls.retry(({ open, token }, signal) =>
        createClient(MLTrainingService, open(token)).getTrainingJob({ id }, { signal }),
      );
      const { status = TrainingStatus.UNSPECIFIED, errorStatus } = metadata ?? {};
      if (status !== TrainingStatus.PENDING && status !== TrainingStatus.IN_PROGRESS) {
        const state = `${TrainingStatus[status]} ${errorStatus?.message ?? ''}`.trim();
        this.ended[state] = (this.ended[state] ?? 0) + 1;
        return;
      }
      await sleep(POLL_MS);
    }
  }
}
