import assert from 'node:assert/strict';
import type { BoxContent } from '../../../../../src/core/data/boxes/trackedBox';
import { BoxEdits } from '../../../../../src/core/data/boxes/boxEdits';
import { BoxJournal, createImageBoxes } from '../../../../../src/core/data/boxes/boxStorage';
import { AnnotatedImage } from '../../../../support/annotatedImage';
import { type MemoryFleet, openMemoryFleet } from '../../../../support/memoryFleet';
import { MemoryKeyValue } from '../../../../support/memoryPorts';
import { waitUntil } from '../../../../support/waitUntil';

const cup: BoxContent = { label: 'cup', xMin: 0.1, yMin: 0.2, xMax: 0.3, yMax: 0.4 };
const moved = { xMin: 0.15, yMin: 0.25, xMax: 0.35, yMax: 0.45 };
const ADD = 'AddBoundingBoxToImageByID';
const REMOVE = 'RemoveBoundingBoxFromImageByID';

describe('changes of boxes', () => {
  let fleet: MemoryFleet;
  let image: AnnotatedImage;
  let storage: MemoryKeyValue;
  let edits: BoxEdits;
  let rests: number;

  beforeEach(async () => {
    fleet = await openMemoryFleet();
    image = await AnnotatedImage.capture(fleet);
    storage = new MemoryKeyValue();
    rests = 0;
    edits = await open();
  });

  afterEach(() => fleet.close());

  function open(): Promise<BoxEdits> {
    return BoxEdits.open({
      image: createImageBoxes(() => image.store, image.id),
      journal: new BoxJournal(storage, 'boxes'),
      // Waits until the signal is aborted, which is how the test skips the wait.
      sleep: (_, signal) => {
        rests += 1;
        return new Promise((_resolve, reject) => {
          signal?.addEventListener('abort', () => reject(new Error('aborted')));
        });
      },
    });
  }

  /** Returns the stored boxes, sorted by label and left edge. */
  const stored = async (): Promise<readonly string[]> =>
    (await image.boxes()).map(({ label, xMin }) => `${label} ${xMin}`).sort();
  const shown = (): readonly string[] =>
    edits
      .shown()
      .map(({ content, state, deleted }) =>
        [content.label, content.xMin, state, deleted ? 'deleted' : ''].join(' ').trim(),
      );
  const calls = (method: string): number => fleet.calls.get(method) ?? 0;

  /** Creates a stored box, however many calls that takes. */
  async function withBox(content = cup): Promise<void> {
    edits.add('a', content);
    await edits.flush();
    fleet.calls.clear();
  }

  it('are shown immediately, and stored exactly', async () => {
    const content = { label: ' jug ', xMin: 1 / 3, yMin: 0.1 + 0.2, xMax: 2 / 3, yMax: 1 };
    edits.add('a', content);
    assert.deepEqual(shown(), [`jug ${1 / 3} saving`]);
    await edits.flush();
    assert.deepEqual(shown(), [`jug ${1 / 3} saved`]);
    const [{ id, ...box } = { id: '' }] = await image.boxes();
    assert.notEqual(id, '');
    assert.deepEqual(box, { ...content, label: 'jug', confidence: undefined });
  });

  it('add the new box before they remove the old one', async () => {
    await withBox();
    const release = image.faults.blockCalls(REMOVE);
    edits.change('a', { corners: moved });
    await waitUntil(async () => (await image.boxes()).length >= 2);
    assert.deepEqual(await stored(), ['cup 0.1', 'cup 0.15']);
    assert.deepEqual(shown(), ['cup 0.15 saving']);
    release();
    await edits.flush();
    assert.deepEqual(await stored(), ['cup 0.15']);
    assert.deepEqual(shown(), ['cup 0.15 saved']);
  });

  it('discard the confidence of a model for a changed box, until that is undone', async () => {
    await image.draw({ ...cup, confidence: 0.7 });
    edits = await open();
    const [{ key } = { key: '' }] = edits.shown();
    edits.change(key, { label: 'jug' });
    await edits.flush();
    assert.deepEqual(
      (await image.boxes()).map(({ confidence }) => confidence),
      [undefined],
    );
    edits.undo();
    await edits.flush();
    assert.deepEqual(
      (await image.boxes()).map(({ confidence }) => confidence),
      [0.7],
    );
    edits.remove(key);
    await edits.flush();
    edits.undo();
    await edits.flush();
    assert.deepEqual(
      (await image.boxes()).map(({ confidence }) => confidence),
      [0.7],
    );
  });

  it('are undone and redone one action at a time, regardless of new box IDs', async () => {
    edits.add('a', cup);
    edits.change('a', { corners: moved });
    edits.change('a', { label: 'jug' });
    edits.remove('a');
    const states = [['jug 0.15'], ['cup 0.15'], ['cup 0.1'], []];
    for (const waits of [true, false]) {
      for (const expected of states) {
        edits.undo();
        if (waits) await edits.flush();
        assert.deepEqual(
          shown().map((text) => text.replace(/ saved| saving/, '')),
          expected,
        );
        if (waits) assert.deepEqual(await stored(), expected);
      }
      assert.ok(!edits.canUndo);
      for (const expected of [...states.slice(0, -1).reverse(), []]) {
        edits.redo();
        if (waits) await edits.flush();
        assert.deepEqual(
          shown().map((text) => text.replace(/ saved| saving/, '')),
          expected,
        );
      }
      assert.ok(!edits.canRedo);
      await edits.flush();
      assert.deepEqual(await stored(), []);
    }
  });

  it('of one gesture are one action, stored once when the box stops moving', async () => {
    await withBox();
    for (let step = 1; step <= 20; step += 1) {
      edits.change('a', { corners: { ...moved, xMin: step / 100 }, gesture: 1 });
    }
    await waitUntil(() => rests > 0);
    assert.equal(calls(ADD), 0);
    await edits.flush();
    assert.deepEqual([calls(ADD), calls(REMOVE)], [1, 1]);
    assert.deepEqual(await stored(), ['cup 0.2']);
    edits.change('a', { corners: moved, gesture: 2 });
    edits.undo();
    assert.deepEqual(shown(), ['cup 0.2 saving']);
    edits.undo();
    await edits.flush();
    assert.deepEqual(await stored(), ['cup 0.1']);
    edits.undo();
    assert.ok(!edits.canUndo);
  });

  it('in quick succession are stored as the last of them', async () => {
    await withBox();
    const release = image.faults.blockCalls(ADD);
    for (const xMin of [0.11, 0.12, 0.13, 0.14]) edits.change('a', { corners: { ...moved, xMin } });
    edits.add('b', { ...cup, label: 'jug' });
    release();
    await edits.flush();
    assert.deepEqual(await stored(), ['cup 0.14', 'jug 0.1']);
    assert.equal(calls(ADD), 2);
  });

  for (const fault of ['refused', 'unreachable', 'lost'] as const) {
    it(`that could not be added report it, and can be retried (${fault})`, async () => {
      image.faults.fail(ADD, fault);
      edits.add('a', cup);
      await edits.flush();
      assert.deepEqual(shown(), ['cup 0.1 failed']);
      const [{ problem } = { problem: undefined }] = edits.shown();
      assert.equal(problem?.kind, 'refused');
      edits.retry('a');
      await edits.flush();
      assert.deepEqual(await stored(), ['cup 0.1']);
      assert.deepEqual(shown(), ['cup 0.1 saved']);
    });

    it(`that could not be added can be discarded (${fault})`, async () => {
      await withBox();
      image.faults.fail(ADD, fault);
      edits.change('a', { corners: moved });
      edits.add('b', { ...cup, label: 'jug' });
      await edits.flush();
      assert.deepEqual(shown(), ['cup 0.15 failed', 'jug 0.1 saved']);
      edits.revert('a');
      await edits.flush();
      assert.deepEqual(await stored(), ['cup 0.1', 'jug 0.1']);
      assert.deepEqual(shown(), ['cup 0.1 saved', 'jug 0.1 saved']);
    });

    it(`that are half done report it, and can be completed (${fault})`, async () => {
      await withBox();
      image.faults.fail(REMOVE, fault);
      edits.change('a', { corners: moved });
      await edits.flush();
      assert.ok(edits.hasProblems);
      assert.deepEqual(shown(), ['cup 0.15 half']);
      const [{ leftovers } = { leftovers: [] }] = edits.shown();
      assert.deepEqual(
        leftovers.map(({ content }) => content.xMin),
        [0.1],
      );
      edits.retry('a');
      await edits.flush();
      assert.deepEqual(await stored(), ['cup 0.15']);
      assert.deepEqual(shown(), ['cup 0.15 saved']);
    });

    it(`that are half done can be rolled back (${fault})`, async () => {
      await withBox();
      image.faults.fail(REMOVE, fault);
      edits.change('a', { corners: moved });
      await edits.flush();
      edits.revert('a');
      await edits.flush();
      assert.deepEqual(await stored(), ['cup 0.1']);
      assert.deepEqual(shown(), ['cup 0.1 saved']);
      assert.ok(!edits.hasProblems);
    });

    it(`that could not be removed are shown until they are (${fault})`, async () => {
      await withBox();
      image.faults.fail(REMOVE, fault);
      edits.remove('a');
      assert.deepEqual(shown(), []);
      await edits.flush();
      assert.deepEqual(shown(), ['cup 0.1 failed deleted']);
      edits.retryAll();
      await edits.flush();
      assert.deepEqual(shown(), []);
      assert.deepEqual(await stored(), []);
    });
  }

  it('succeed if another user has already removed the box', async () => {
    await withBox();
    const [{ id } = { id: '' }] = await image.boxes();
    await image.erase(id);
    edits.remove('a');
    await edits.flush();
    assert.deepEqual([shown(), edits.hasProblems], [[], false]);
  });

  it('of a box that changes while one is stored end with the last', async () => {
    await withBox();
    const release = image.faults.blockCalls(REMOVE);
    edits.change('a', { corners: moved });
    await waitUntil(() => calls(ADD) > 0);
    edits.change('a', { label: 'jug' });
    release();
    await edits.flush();
    assert.deepEqual(await stored(), ['jug 0.15']);
  });

  it('are recovered if the editor ended in the middle of one', async () => {
    await withBox();
    image.faults.fail(REMOVE, 'unreachable');
    edits.change('a', { corners: moved });
    await edits.flush();
    edits = await open();
    assert.deepEqual(shown(), ['cup 0.15 half']);
    assert.deepEqual(edits.shown()[0]?.problem, { kind: 'interrupted' });
    edits.retryAll();
    await edits.flush();
    assert.deepEqual(await stored(), ['cup 0.15']);
    edits = await open();
    assert.deepEqual(shown(), ['cup 0.15 saved']);
    assert.equal(storage.values.size, 0);
  });

  it('are recovered if the editor ended before one was stored', async () => {
    await withBox();
    image.faults.fail(ADD, 'unreachable');
    edits.change('a', { corners: moved });
    await edits.flush();
    edits = await open();
    assert.deepEqual(shown(), ['cup 0.15 failed']);
    edits.revert(edits.shown()[0]?.key ?? '');
    await edits.flush();
    assert.deepEqual(await stored(), ['cup 0.1']);
    assert.equal(storage.values.size, 0);
  });

  it('are recovered if the editor ended before a new box was stored', async () => {
    image.faults.fail(ADD, 'refused');
    edits.add('a', cup);
    await edits.flush();
    edits = await open();
    assert.deepEqual(shown(), ['cup 0.1 failed']);
    assert.deepEqual(edits.shown()[0]?.problem, { kind: 'interrupted' });
    edits.retryAll();
    await edits.flush();
    assert.deepEqual(await stored(), ['cup 0.1']);
    edits = await open();
    assert.deepEqual(shown(), ['cup 0.1 saved']);
    assert.equal(storage.values.size, 0);
  });

  it('are recovered if the editor ended before a new box was discarded', async () => {
    image.faults.fail(ADD, 'refused');
    edits.add('a', cup);
    await edits.flush();
    edits = await open();
    edits.revert('a');
    await edits.flush();
    edits = await open();
    assert.deepEqual([shown(), await stored()], [[], []]);
    assert.equal(storage.values.size, 0);
  });

  it('are not repeated if the response to a new box was lost and the editor ended', async () => {
    image.faults.fail(ADD, 'lost');
    edits.add('a', cup);
    await edits.flush();
    edits = await open();
    assert.deepEqual(shown(), ['cup 0.1 saved']);
    assert.deepEqual(await stored(), ['cup 0.1']);
    assert.equal(storage.values.size, 0);
  });

  it('are recovered if the editor ended before a box was deleted', async () => {
    await withBox();
    image.faults.fail(REMOVE, 'refused');
    edits.remove('a');
    await edits.flush();
    edits = await open();
    assert.deepEqual(shown(), ['cup 0.1 failed deleted']);
    edits.retryAll();
    await edits.flush();
    assert.deepEqual([shown(), await stored()], [[], []]);
    assert.equal(storage.values.size, 0);
  });

  it('that end where they began are stored again if another user has removed the box', async () => {
    await withBox();
    const [{ id } = { id: '' }] = await image.boxes();
    edits.change('a', { corners: moved, gesture: 1 });
    edits.change('a', { corners: cup, gesture: 1 });
    await image.erase(id);
    await edits.flush();
    assert.deepEqual(shown(), ['cup 0.1 saved']);
    assert.deepEqual(await stored(), ['cup 0.1']);
  });

  it('BoxEdits.change stores a confirmed label that another user has replaced', async () => {
    await withBox();
    const [{ id } = { id: '' }] = await image.boxes();
    await image.erase(id);
    edits.change('a', { label: 'cup' });
    await edits.flush();
    assert.deepEqual(await stored(), ['cup 0.1']);
  });

  it('BoxEdits.change writes nothing for a confirmed label that the service has', async () => {
    await withBox();
    edits.change('a', { label: 'cup' });
    await edits.flush();
    assert.deepEqual([calls(ADD), calls(REMOVE)], [0, 0]);
    assert.deepEqual(shown(), ['cup 0.1 saved']);
  });

  it('that are half done preserve a box if another user has removed the new one', async () => {
    await withBox();
    image.faults.fail(REMOVE, 'refused');
    edits.change('a', { corners: moved });
    await edits.flush();
    assert.deepEqual(shown(), ['cup 0.15 half']);
    const added = (await image.boxes()).find(({ xMin }) => xMin === moved.xMin);
    await image.erase(added?.id ?? '');
    edits.retry('a');
    await edits.flush();
    assert.deepEqual(await stored(), ['cup 0.15']);
  });

  it('BoxEdits.remove shows the box into which another user has changed the removed one', async () => {
    await withBox();
    const [{ id } = { id: '' }] = await image.boxes();
    await image.draw({ ...cup, ...moved });
    await image.erase(id);
    edits.remove('a');
    await edits.flush();
    assert.deepEqual(shown(), ['cup 0.15 saved']);
  });

  it('by others are shown, and cannot be undone', async () => {
    await withBox();
    edits.add('b', { ...cup, label: 'jug' });
    await edits.flush();
    const [{ id } = { id: '' }] = await image.boxes();
    await image.erase(id);
    await image.draw({ ...cup, label: 'mug' });
    await edits.refresh();
    assert.deepEqual(shown(), ['jug 0.1 saved', 'mug 0.1 saved']);
    edits.undo();
    assert.ok(!edits.canUndo);
    await edits.flush();
    assert.deepEqual(await stored(), ['mug 0.1']);
  });

  it('are rejected if the box would be empty', () => {
    assert.throws(() => edits.add('a', { ...cup, label: ' ' }), /needs a label/);
    for (const corners of [{ xMin: 0.3 }, { yMax: 0.2 }, { xMax: 1.1 }, { yMin: Number.NaN }]) {
      assert.throws(() => edits.add('a', { ...cup, ...corners }), /inside its image/);
    }
    edits.add('a', cup);
    assert.throws(() => edits.change('a', { label: '' }), /needs a label/);
    assert.throws(() => edits.change('b', { label: 'cup' }), { kind: 'notFound' });
  });
});
