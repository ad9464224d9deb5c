import { cancelProgress } from '../../../../../support/plainVscode';
import assert from 'node:assert/strict';
import { isCanceled } from '../../../../../../src/core/api/errors';
import type { TrialSession } from '../../../../../../src/host/features/data/trials/trialSession';
import type { TrialView } from '../../../../../../src/shared/data/proposals';
import { ScriptedPrompts } from '../../../../../host/support/scriptedPrompts';
import { LABELS, MODEL, TrialFleet } from './trialFleet';

const TITLE = 'Try Model on Image';
const { signal } = new AbortController();

describe('TrialSession', function () {
  this.timeout(120_000);
  let fleet: TrialFleet;
  let prompts: ScriptedPrompts;
  let trials: TrialSession;

  beforeEach(async () => {
    fleet = await TrialFleet.open();
    prompts = new ScriptedPrompts();
    trials = fleet.openTrials();
  });

  afterEach(async () => {
    trials.dispose();
    prompts[Symbol.dispose]();
    await fleet[Symbol.asyncDispose]();
  });

  const request = (id: string, left = signal): Promise<TrialView> =>
    Promise.resolve(trials.handlers().tryModel({ id }, left));

  async function tryModel(id: string, left = signal): Promise<TrialView> {
    const view = request(id, left);
    await Promise.race([prompts.pick(TITLE, MODEL), view]);
    return view;
  }

  async function captureOne(bytes?: Uint8Array): Promise<string> {
    const [item] = await fleet.capture(1, [], bytes);
    return item?.id ?? assert.fail('no image');
  }

  it('predicts every label, and reads the model once', async () => {
    const id = await captureOne();
    const { model, task, predictions } = await tryModel(id);
    assert.deepEqual([model, task], [MODEL, 'singleLabelClassification']);
    assert.deepEqual(predictions.map(({ label }) => label).sort(), LABELS);
    const sum = predictions.reduce((total, { confidence }) => total + confidence, 0);
    assert.ok(Math.abs(sum - 1) < 1e-4, String(sum));
    const reads = fleet.fleet.reads.length;
    assert.deepEqual((await tryModel(id)).predictions, predictions);
    assert.equal(fleet.fleet.reads.length, reads);
  });

  it('reports a deleted image', async () => {
    const id = await captureOne();
    await fleet.images.delete([id as never]);
    await assert.rejects(request(id), {
      kind: 'notFound',
      message: 'The image was deleted. Refresh the list.',
    });
  });

  it('reports an image that is too large', async () => {
    const id = await captureOne();
    const original = fleet.images.get.bind(fleet.images);
    fleet.images.get = async (...args) =>
      (await original(...args)).map((item) => ({ ...item, sizeBytes: 65 * 1024 * 1024 }));
    await assert.rejects(tryModel(id), {
      kind: 'unsupported',
      message: 'The image is 68 MB. Select one of at most 67 MB.',
    });
  });

  it('reports a file that is not an image', async () => {
    await assert.rejects(tryModel(await captureOne(Buffer.from('no image'))), { kind: 'invalid' });
  });

  it('throws canceled when the user cancels the prompt', async () => {
    const view = request(await captureOne());
    (await prompts.next(TITLE)).leave();
    await assert.rejects(view, { kind: 'canceled' });
  });

  it('stops when the user cancels, or switches to another image', async () => {
    const id = await captureOne();
    const leaving = new AbortController();
    const stops = [() => cancelProgress(), () => leaving.abort()];
    fleet.beforeContents((count) => stops[count]?.());
    await assert.rejects(tryModel(id), isCanceled);
    await assert.rejects(tryModel(id, leaving.signal), isCanceled);
  });
});
