import assert from 'node:assert/strict';
import { disposeVariables, memory } from '@tensorflow/tfjs-core';
import { filesInArchive } from '../../../../../../src/archives/fileInArchive';
import type { TrialMessage, TrialModel } from '../../../../../../src/core/model/modelTrial';
import { parseTrialModel, TRIAL_FILES } from '../../../../../../src/core/training/parseTrialModel';
import { runTrial } from '../../../../../../src/service/training/process/trial/runTrial';
import { Canvas } from '../../../../../../src/simulate/images/canvas';
import { encodeImage } from '../../../../../../src/simulate/images/encodeImage';
import { untrainedModel } from '../../../../../support/untrainedModel';

const MAX_BYTES = 32 * 1024 * 1024;
const image = Buffer.from(encodeImage(new Canvas(24, 18), 'png'));

describe('runTrial', function () {
  this.timeout(120_000);
  let model: TrialModel;
  let sent: TrialMessage['kind'][];

  before(async () => {
    const archive = await untrainedModel(['damaged', 'intact']);
    async function* chunks(): AsyncGenerator<Uint8Array> {
      yield await Promise.resolve(archive);
    }
    const files = await filesInArchive(chunks(), (path) => path, TRIAL_FILES.length, {
      signal: new AbortController().signal,
      maxUnpackedBytes: MAX_BYTES,
      maxBytes: MAX_BYTES,
    });
    model = parseTrialModel(files) ?? assert.fail('not a model of a training');
  });

  beforeEach(() => {
    sent = [];
  });

  /**
   * Runs a trial on files.
   * @param before called before each image with its zero-based index
   */
  async function run(files: readonly Buffer[], before: (at: number) => void): Promise<void> {
    async function* lines(): AsyncGenerator<string> {
      for (const [at, file] of files.entries()) {
        before(at);
        yield await Promise.resolve(JSON.stringify({ image: file.toString('base64') }));
      }
    }
    await runTrial({ kind: 'trial', model }, lines(), ({ kind }) => {
      sent.push(kind);
      return Promise.resolve();
    });
  }

  it('retains no tensors besides the weights', async () => {
    const start = memory().numTensors;
    const counts: number[] = [];
    await run([image, Buffer.from('no image'), image, image], () => {
      counts.push(memory().numTensors - start);
    });
    assert.deepEqual(sent, ['ready', 'predictions', 'unreadable', 'predictions', 'predictions']);
    assert.deepEqual(counts, new Array(4).fill(model.shapes.length));
  });

  it('fails if the network fails, instead of rejecting the image', async () => {
    const failed = run([image], () => disposeVariables());
    await assert.rejects(failed);
    assert.deepEqual(sent, ['ready']);
  });
});
