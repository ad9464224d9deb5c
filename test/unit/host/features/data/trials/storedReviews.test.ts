import assert from 'node:assert/strict';
import { binaryDataId, connectionId, organizationId } from '../../../../../../src/core/model/ids';
import type { PanelStart } from '../../../../../../src/host/features/data/panelDescription';
import {
  type ReviewState,
  StoredReviews,
} from '../../../../../../src/host/features/data/trials/storedReviews';
import { everyData } from '../../../../../../src/shared/data/dataFilter';
import { MemoryKeyValue } from '../../../../../support/memoryPorts';
import { RecordingLogger } from '../../../../../support/recordingLogger';
import { silentLogger } from '../../../../../support/silentLogger';
import { TestClock } from '../../../../../support/testClock';
import { waitUntil } from '../../../../../support/waitUntil';

describe('StoredReviews', () => {
  const target = {
    ...({ kind: 'organization', name: 'Acme' } as const),
    connectionId: connectionId('connection-1'),
    organizationId: organizationId('org-1'),
  };
  const panel: PanelStart = {
    target,
    owner: target.organizationId,
    filter: everyData,
    tab: 'images',
  };

  function review(run: string, label = 'damaged'): ReviewState {
    const proposal = { id: 0, label, confidence: 0.5 };
    const image = { id: 'image-1', name: 'a.jpg', sizeBytes: 10, proposals: [proposal] };
    const source = { componentName: 'camera' };
    return {
      model: { task: 'singleLabelClassification', labels: [label] },
      proposals: {
        run,
        model: 'check 1.0.0',
        task: 'singleLabelClassification',
        images: [image],
        decisions: {
          threshold: 0.4,
          accepted: [{ image: 'image-1', proposals: [0] }],
          rejected: [],
        },
      },
      items: [{ id: binaryDataId('image-1'), at: 1, fileName: 'a', fileExtension: '.jpg', source }],
    };
  }

  async function runs(storage: MemoryKeyValue, count: number): Promise<readonly string[]> {
    const list = (): readonly string[] =>
      new StoredReviews(storage, silentLogger).list().map(({ state }) => state.proposals.run);
    await waitUntil(() => list().length === count);
    return list();
  }

  it('returns what was stored last, with its panel', async () => {
    const storage = new MemoryKeyValue();
    const stored = new StoredReviews(storage, silentLogger);
    stored.save(review('1', 'intact'), panel);
    stored.save(review('1'), panel);
    assert.deepEqual(await runs(storage, 1), ['1']);
    await waitUntil(() => JSON.stringify(storage.get(storage.keys()[0] ?? '')).includes('damaged'));
    assert.deepEqual(new StoredReviews(storage, silentLogger).list(), [
      { state: review('1'), panel },
    ]);
  });

  it('drops the oldest of more than five, and one that is too large', async () => {
    const storage = new MemoryKeyValue();
    const stored = new StoredReviews(storage, silentLogger);
    for (let run = 1; run <= 7; run += 1) stored.save(review(String(run)), panel);
    await waitUntil(() => JSON.stringify([...storage.values.values()]).includes('"run":"7"'));
    assert.deepEqual(await runs(storage, 5), ['3', '4', '5', '6', '7']);
    stored.save(review('8', 'x'.repeat(1_000_000)), panel);
    stored.save(review('9'), panel);
    await waitUntil(() => JSON.stringify([...storage.values.values()]).includes('"run":"9"'));
    assert.deepEqual(await runs(storage, 5), ['4', '5', '6', '7', '9']);
  });

  it('writes only the last of the changes that arrive during a write', async () => {
    const storage = new MemoryKeyValue();
    const written: unknown[] = [];
    const { promise: isReleased, resolve: release } = Promise.withResolvers<undefined>();
    const update = storage.update.bind(storage);
    storage.update = async (key, value) => {
      written.push(value);
      await isReleased;
      await update(key, value);
    };
    const stored = new StoredReviews(storage, silentLogger);
    for (const label of ['a', 'b', 'c', 'd']) stored.save(review('1', label), panel);
    stored.save(review('2'), panel);
    stored.remove('2');
    release(undefined);
    assert.deepEqual(await runs(storage, 1), ['1']);
    await waitUntil(() => JSON.stringify(storage.get(storage.keys()[0] ?? '')).includes('"d"'));
    assert.equal(written.length, 2);
    stored.remove('1');
    await runs(storage, 0);
    assert.deepEqual(written.slice(2), [undefined]);
  });

  it('warns once of a review that is too large to be stored', async () => {
    const storage = new MemoryKeyValue();
    const log = new RecordingLogger();
    const stored = new StoredReviews(storage, log);
    stored.save(review('1'), panel);
    for (const [label, run] of Object.entries({ x: '3', y: '4' })) {
      stored.save(review('2', label.repeat(1_000_000)), panel);
      stored.save(review(run), panel);
      await waitUntil(() => JSON.stringify([...storage.values]).includes(`"run":"${run}"`));
    }
    assert.deepEqual(await runs(storage, 3), ['1', '3', '4']);
    assert.deepEqual(
      log.lines.map(({ fields }) => fields.run),
      ['2'],
    );
  });

  it('ignores invalid data', () => {
    const storage = new MemoryKeyValue();
    storage.values.set('data.suspendedReviews', [{ proposals: { run: '1' } }, 'text']);
    assert.deepEqual(new StoredReviews(storage, silentLogger).list(), []);
  });

  it('drops a review that has not changed for 30 days, even if it is offered every day', async () => {
    const storage = new MemoryKeyValue();
    const clock = new TestClock();
    const openWindow = () => new StoredReviews(storage, silentLogger, clock);
    const day = 24 * 60 * 60_000;
    openWindow().save(review('1'), panel);
    await waitUntil(() => storage.keys().length === 1);
    for (let days = 1; days <= 30; days += 1) {
      clock.advance(day);
      const stored = openWindow();
      assert.equal(stored.list().length, 1);
      stored.save(review('1'), panel);
    }
    clock.advance(day);
    assert.deepEqual(openWindow().list(), []);
    await waitUntil(() => storage.keys().length === 0);
  });

  it('preserves a review that has changed since', async () => {
    const storage = new MemoryKeyValue();
    const clock = new TestClock();
    const stored = new StoredReviews(storage, silentLogger, clock);
    stored.save(review('1'), panel);
    clock.advance(29 * 24 * 60 * 60_000);
    stored.save(review('1', 'intact'), panel);
    await waitUntil(() => JSON.stringify([...storage.values]).includes('intact'));
    clock.advance(29 * 24 * 60 * 60_000);
    assert.equal(new StoredReviews(storage, silentLogger, clock).list().length, 1);
  });
});
