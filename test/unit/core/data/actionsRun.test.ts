import assert from 'node:assert/strict';
import { FleetError } from '../../../../src/core/api/errors';
import {
  type ActionResult,
  addTagsAction,
  addToDatasetAction,
  type BulkAction,
  type BulkTarget,
  deleteAction,
  joinUndoSteps,
  removeFromDatasetAction,
  removeTagsAction,
} from '../../../../src/core/data/actions/bulkAction';
import { countTarget } from '../../../../src/core/data/actions/inspectTarget';
import { runAction, undoAction } from '../../../../src/core/data/actions/runAction';
import { type CaptureFilter, everyCapture } from '../../../../src/core/model/captureFilter';
import { toConnectionId } from '../../../../src/core/model/connection';
import type { BinaryDataId } from '../../../../src/core/model/ids';
import type { BinaryDataStore } from '../../../../src/core/stores/binaryDataStore';
import { type CaptureFleet, openCaptureFleet } from '../../../support/captureFleet';

const never = new AbortController().signal;

describe('runAction', () => {
  let capture: CaptureFleet;
  let store: BinaryDataStore;
  const now = (): BinaryDataStore => store;
  let all: CaptureFilter;

  beforeEach(async () => {
    capture = await openCaptureFleet();
    store = capture.session.stores.binaryData;
    all = { ...everyCapture, partId: capture.part.ids.partId };
    await capture.part.captureMany(10);
    await capture.part.captureMany(10, { tags: ['kept'], fileExtension: '.txt', fileName: 'note' });
  });
  afterEach(() => capture.close());

  const items = async (): Promise<BulkTarget> => ({
    kind: 'items',
    items: await capture.part.items(),
  });
  const filter = (count = 20): BulkTarget => ({ kind: 'filter', filter: all, count });
  const run = (action: BulkAction, target: BulkTarget, signal = never): Promise<ActionResult> =>
    runAction(store, action, target, { signal });
  const tagged = async (tag: string): Promise<number> =>
    (await capture.part.items()).filter(({ tags }) => tags.includes(tag)).length;
  const undo = async ({ undo: done }: ActionResult): Promise<number> => {
    assert.ok(done !== 'discarded');
    const { undone, gone, failed, rest } = await undoAction(done, never);
    assert.deepEqual([failed, rest], [[], []]);
    return undone + gone;
  };

  it('tags items, and its undo removes the tag only from those without it before', async () => {
    const result = await run(addTagsAction(now, ['kept', 'new']), await items());
    assert.deepEqual([result.done, result.unchanged, result.rest], [20, 0, undefined]);
    assert.deepEqual([await tagged('kept'), await tagged('new')], [20, 20]);
    assert.equal(await undo(result), 20);
    assert.deepEqual([await tagged('kept'), await tagged('new')], [10, 0]);
  });

  it('undoes an action together with its retry', async () => {
    const [first, ...others] = await capture.part.items();
    assert.ok(first);
    const action = addTagsAction(now, ['new']);
    const attempt = await run(action, { kind: 'items', items: [first] });
    const retry = await run(action, { kind: 'items', items: others });
    const both = joinUndoSteps(attempt.undo, retry.undo);
    assert.equal(await undo({ ...retry, undo: both }), 20);
    assert.equal(await tagged('new'), 0);
    assert.equal(joinUndoSteps('discarded', retry.undo), 'discarded');
    assert.equal(joinUndoSteps(attempt.undo, 'discarded'), 'discarded');
  });

  it('undoes through the current connection after another sign-in', async () => {
    const result = await run(addTagsAction(now, ['new']), await items());
    const { baseUrl, key } = capture.fleet;
    const id = toConnectionId(key.id);
    capture.session.signOut();
    capture.session.use({ id, label: 'Test', baseUrl, keyId: key.id, kind: 'cloud' });
    let changeCount = 0;
    store.onDidChange(() => (changeCount += 1));
    assert.equal(await undo(result), 20);
    assert.ok(changeCount > 0);
    assert.deepEqual(await store.listTags(all), ['kept']);
  });

  it('reads items again before tagging, and preserves tags of other users', async () => {
    const stale = await items();
    const [first] = await capture.part.items();
    assert.ok(first);
    await store.addTags([first.id], ['new']);
    const result = await run(addTagsAction(now, ['new']), stale);
    assert.deepEqual([result.done, result.unchanged], [19, 1]);
    await undo(result);
    assert.equal(await tagged('new'), 1);
  });

  it('tags all items of a filter in one call, and undoes that item by item', async () => {
    capture.fleet.calls.clear();
    const result = await run(addTagsAction(now, ['kept']), filter());
    assert.deepEqual([result.done, result.unchanged], [10, 10]);
    assert.equal(capture.fleet.calls.get('AddTagsToBinaryDataByFilter'), 1);
    assert.equal(await undo(result), 10);
    assert.equal(await tagged('kept'), 10);
  });

  it('removes tags by ID and by filter, and its undo restores them', async () => {
    for (const target of [await items(), filter()]) {
      const result = await run(removeTagsAction(now, ['kept', 'unknown']), target);
      assert.deepEqual([result.done, result.unchanged, await tagged('kept')], [10, 10, 0]);
      await undo(result);
      assert.equal(await tagged('kept'), 10);
    }
  });

  it('skips items of other tabs', async () => {
    const target = { kind: 'filter', filter: all, count: 10, placement: 'files' } as const;
    const result = await run(addTagsAction(now, ['text']), target);
    assert.equal(result.done, 10);
    const names = (await capture.part.items()).filter(({ tags }) => tags.includes('text'));
    assert.ok(names.every(({ fileExtension }) => fileExtension === '.txt'));
  });

  it('reports failures per item, completes the others, and can retry the rest', async () => {
    const target = await items();
    const [gone, also] = await capture.part.items();
    assert.ok(gone && also);
    await store.delete([gone.id, also.id]);
    const result = await run(addTagsAction(now, ['new']), target);
    assert.equal(result.done, 18);
    assert.deepEqual(
      result.failed.map(({ item, error }) => [item.id, error.kind]),
      [gone, also].map(({ id }) => [id, 'notFound']),
    );
    const { rest } = result;
    assert.ok(rest?.kind === 'items');
    assert.deepEqual(
      rest.items.map(({ id }) => id),
      [gone.id, also.id],
    );
    const undone = result.undo;
    assert.ok(undone !== 'discarded');
    assert.equal((await undoAction(undone, never)).undone, 18);
  });

  it('adds items to a dataset and removes only the added ones', async () => {
    const { datasets } = capture.session.stores;
    const dataset = await datasets.create(capture.part.ids.organizationId, 'apples');
    const [member] = await capture.part.items();
    assert.ok(member);
    await store.addToDataset(dataset, [member.id]);
    const members = async (): Promise<number> =>
      (await store.count({ ...all, datasetId: dataset })).count;
    const added = await run(addToDatasetAction(now, dataset), filter());
    assert.deepEqual([added.done, added.unchanged, await members()], [19, 1, 20]);
    await undo(added);
    assert.equal(await members(), 1);
    const removed = await run(removeFromDatasetAction(now, dataset), await items());
    assert.deepEqual([removed.done, removed.unchanged, await members()], [1, 19, 0]);
    await undo(removed);
    assert.equal(await members(), 1);
  });

  it('deletes items, and accepts deleted ones', async () => {
    const target = await items();
    const [gone] = await capture.part.items();
    assert.ok(gone);
    await store.delete([gone.id]);
    const byIds = await run(deleteAction(now), target);
    assert.deepEqual([byIds.done, byIds.unchanged, byIds.failed, byIds.undo], [19, 1, [], []]);
    assert.equal((await capture.part.items()).length, 0);
  });

  it('deletes by filter only the items that were counted, not later ones', async () => {
    capture.fleet.clock.advance(1_000);
    const target = await countTarget(store, all);
    assert.equal(target.count, 20);
    await capture.part.capture({ second: 2_000 });
    capture.fleet.calls.clear();
    const result = await run(deleteAction(now), target);
    assert.deepEqual([result.done, result.rest], [20, undefined]);
    assert.equal(capture.fleet.calls.get('DeleteBinaryDataByFilter'), 1);
    const left = await capture.part.items();
    assert.deepEqual(
      left.map(({ at }) => at),
      [2_000_000_000],
    );
  });

  it('neither shows, counts, nor deletes internal items of services', async () => {
    const captured = await capture.part.capture({ componentType: 'rdk:service:slam' });
    capture.fleet.clock.advance(1_000);
    const target = await countTarget(store, all);
    assert.equal(target.count, 20);
    assert.equal((await run(deleteAction(now), target)).done, 20);
    assert.deepEqual(
      (await store.get([captured])).map(({ id }) => id),
      [captured],
    );
  });

  it('deletes items one by one if the service omits them when it deletes by filter', async () => {
    // With a stopped clock, the service treats all data as stored too late.
    const result = await run(deleteAction(now), await countTarget(store, all));
    assert.deepEqual([result.done, result.failed], [20, []]);
    assert.deepEqual(await capture.part.items(), []);
  });

  it('stops when it is canceled, and reports its progress', async () => {
    const controller = new AbortController();
    const action = addTagsAction(now, ['new']);
    const stopping: BulkAction = {
      ...action,
      steps: (read) => {
        controller.abort();
        return action.steps(read);
      },
    };
    const target = { kind: 'filter', filter: all, count: 20, placement: 'images' } as const;
    const result = await run(stopping, target, controller.signal);
    assert.deepEqual([result.done, result.notStarted, result.rest], [0, 20, target]);
  });

  it('lists the items that were not started when it is canceled', async () => {
    const target = await items();
    const controller = new AbortController();
    const stopping: BulkAction = {
      ...addTagsAction(now, ['new']),
      steps: ([first, ...others]) => {
        const tag = (run: () => void) => async (ids: readonly BinaryDataId[]) => {
          await store.addTags(ids, ['new']);
          run();
        };
        assert.ok(first);
        return [
          { items: [first], run: tag(() => controller.abort()) },
          { items: others, run: tag(() => undefined) },
        ];
      },
    };
    const result = await run(stopping, target, controller.signal);
    const [, ...others] = target.kind === 'items' ? target.items : [];
    assert.equal(result.done, 1);
    assert.deepEqual(result.notStarted, others);
  });

  it('names each item that an undo did not change', async () => {
    const result = await run(addTagsAction(now, ['new']), await items());
    assert.ok(result.undo !== 'discarded');
    const ids = result.undo.flatMap((step) => step.ids);
    const canceled = await undoAction(result.undo, AbortSignal.abort());
    assert.deepEqual([canceled.failed, canceled.notStarted], [[], ids]);
    const error = new FleetError('unavailable', 'The connection was lost.');
    const broken = result.undo.map((step) => ({ ...step, undo: () => Promise.reject(error) }));
    const { failed, notStarted } = await undoAction(broken, never);
    assert.deepEqual(
      failed,
      ids.map((id) => ({ id, error })),
    );
    assert.deepEqual(notStarted, []);
  });

  it('throws if nothing can be read', async () => {
    await capture.fleet.close();
    await assert.rejects(run(addTagsAction(now, ['new']), filter()));
  });
});
