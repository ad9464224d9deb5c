import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient } from '@connectrpc/connect';
import { packBuild } from '../../../src/archives/packBuild';
import {
  MLTrainingService,
  TrainingStatus,
} from '../../../src/gen/viam/app/mltraining/v1/ml_training_pb';
import { PackageService } from '../../../src/gen/viam/app/packages/v1/packages_pb';
import { AppService } from '../../../src/gen/viam/app/v1/app_pb';
import { RunningService } from '../../support/runningService';
import { ServiceProgram } from '../../support/serviceProgram';
import { waitForValue } from '../../support/waitUntil';
import { waitUntilExited } from '../../support/waitUntilExited';
import { describeWithPython } from '../../support/withPython';
import { capture, dataClientsOver } from '../dataFixture';
import { newMachine } from '../fleetFixture';
import { uploadPackage } from '../packageFixture';
import { begunJob, waitForJobEnd, readJobLog } from '../trainingFixture';

const TIMEOUT_MS = 120_000;
/** Script that reports its process ID when it starts and then trains until a file exists. */
const SCRIPT = `
import argparse, os, time
parser = argparse.ArgumentParser()
for name in ('dataset_file', 'model_output_directory', 'gate'):
    parser.add_argument('--' + name)
given = parser.parse_args()
print('Epoch 1/1 - loss: 0.5000', flush=True)
open(os.path.join(given.gate, 'begun-' + str(os.getpid())), 'w').close()
while not os.path.exists(os.path.join(given.gate, 'open')):
    time.sleep(0.02)
with open(os.path.join(given.model_output_directory, 'model.onnx'), 'w') as model:
    model.write(str(len(open(given.dataset_file).readlines())))
`;

describeWithPython('kill -9 while a job trains', () => {
  let program: ServiceProgram;

  before(async function () {
    this.timeout(TIMEOUT_MS);
    program = await ServiceProgram.build();
  });

  after(async () => {
    await program[Symbol.asyncDispose]();
  });

  const start = (directory: string): Promise<RunningService> =>
    RunningService.of(program.serve('--data', directory, '--allow-custom-training'));

  /** Starts a job with the script above and waits until the job trains. */
  async function beginJob(service: RunningService, gate: string) {
    const { transport, key } = service;
    const { organizationId } = key;
    const { sync, datasets } = dataClientsOver(transport);
    const { part } = await newMachine(createClient(AppService, transport), organizationId);
    const { id: datasetId } = await datasets.createDataset({ organizationId, name: 'cups' });
    await capture({ sync, part }, 1, { datasetIds: [datasetId] });
    const packages = createClient(PackageService, transport);
    await uploadPackage({ packages, organizationId }, {}, await scriptArchive());
    const { id } = await createTrainingClient(service).submitCustomTrainingJob({
      organizationId,
      datasetId,
      modelName: 'own',
      modelVersion: '1',
      arguments: { gate },
      registryItemId: `${organizationId}:learn`,
      registryItemVersion: '1.0.0',
    });
    const pid = await begun(gate, 1);
    // Wait for the line, because a line that is in transit from the script is lost with the
    // service.
    await begunJob(createTrainingClient(service), id);
    return { id, pid };
  }

  async function scriptArchive(): Promise<Uint8Array[]> {
    const folder = await mkdtemp(join(program.folder, 'script-'));
    await mkdir(join(folder, 'model'));
    await writeFile(join(folder, 'model', 'training.py'), SCRIPT);
    const chunks: Uint8Array[] = [];
    const { signal } = new AbortController();
    for await (const chunk of packBuild(folder, { signal })) chunks.push(chunk);
    return chunks;
  }

  const createTrainingClient = ({ transport }: RunningService) =>
    createClient(MLTrainingService, transport);

  it('restarts the job after a kill, ends its old processes, and leaves no files behind', async function () {
    this.timeout(TIMEOUT_MS);
    const directory = program.path();
    const gate = await mkdtemp(join(program.folder, 'gate-'));
    let service = await start(directory);
    const { id, pid } = await beginJob(service, gate);
    await service.kill();
    service = await start(directory);
    await begun(gate, 2);
    await waitUntilExited(pid);
    await writeFile(join(gate, 'open'), '');
    const training = createTrainingClient(service);
    const job = await waitForJobEnd(training, id);
    assert.equal(job.status, TrainingStatus.COMPLETED, job.errorStatus?.message);
    const lines = await readJobLog(training, id);
    assert.equal(lines.filter((line) => line.startsWith('Epoch 1/1')).length, 2);
    assert.ok(lines.some((line) => line.includes('starts over')));
    await service.stop();
    assert.deepEqual(await readdir(join(directory, 'training')), []);
  });

  it('fails a job after it repeatedly ends its service', async function () {
    this.timeout(TIMEOUT_MS);
    const directory = program.path();
    const gate = await mkdtemp(join(program.folder, 'gate-'));
    let service = await start(directory);
    const { id } = await beginJob(service, gate);
    for (const count of [2, 3]) {
      await service.kill();
      service = await start(directory);
      await begun(gate, count);
    }
    await service.kill();
    service = await start(directory);
    const job = await waitForJobEnd(createTrainingClient(service), id);
    assert.equal(job.status, TrainingStatus.FAILED);
    assert.match(job.errorStatus?.message ?? '', /exited each time it ran this job/);
    for (const name of await begunNames(gate)) {
      await waitUntilExited(parsePid(name));
    }
    await service.stop();
  });
});

const begunNames = async (gate: string): Promise<string[]> =>
  (await readdir(gate)).filter((name) => name.startsWith('begun-'));

const parsePid = (name: string): number => Number(name.slice('begun-'.length));

/**
 * Waits until the script has been started a number of times; returns the ID of one of its
 * processes.
 */
function begun(gate: string, count: number): Promise<number> {
  return waitForValue(
    async () => {
      const names = await begunNames(gate);
      const [first] = names;
      return first !== undefined && names.length >= count ? parsePid(first) : undefined;
    },
    { describeState: () => `${String(count)} starts of the script` },
  );
}
