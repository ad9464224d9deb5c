import assert from 'node:assert/strict';
import type { BinaryItem } from '../../src/core/model/binaryItem';
import type { Prediction } from '../../src/core/model/modelTrial';
import type { RegistryItem } from '../../src/core/model/registryItem';
import { ProposalSession } from '../../src/host/features/data/trials/proposalSession';
import type { Proposals } from '../../src/shared/data/proposals';
import { AnnotatedImage } from '../support/annotatedImage';
import { type MemoryFleet, openMemoryFleet } from '../support/memoryFleet';
import { TestSessions } from '../support/testSessions';

const version = { item: { name: 'sorter' } as RegistryItem, version: '1.0.0' };
const model = { task: 'singleLabelClassification', labels: ['dented', 'intact'] } as const;

/** A run that waits for its predictions, as one of many images does. */
interface Run {
  readonly signal: AbortSignal;
  readonly predictions: PromiseWithResolvers<readonly Prediction[]>;
}

describe('ProposalSession in a real extension host', () => {
  let fleet: MemoryFleet;
  let sessions: TestSessions;
  let item: BinaryItem;
  let started: PromiseWithResolvers<Run>;
  let shown: Proposals[];
  let proposals: ProposalSession;

  beforeEach(async () => {
    fleet = await openMemoryFleet();
    sessions = new TestSessions(fleet);
    const { id } = await AnnotatedImage.capture(fleet);
    const [captured] = await sessions.stores().binaryData.get([id]);
    item = captured ?? assert.fail();
    shown = [];
    proposals = new ProposalSession({
      session: { stores: sessions.stores() },
      trials: {
        ask: () => Promise.resolve(version),
        start: (_, signal) => {
          const predictions = Promise.withResolvers<readonly Prediction[]>();
          started.resolve({ signal, predictions });
          return Promise.resolve({
            model,
            hasExited: false,
            predict: () => predictions.promise,
            [Symbol.asyncDispose]: () => Promise.resolve(),
          });
        },
      },
      reports: { tell: () => Promise.resolve() },
      notify: (review) => shown.push(review),
      focus: () => undefined,
    });
  });

  afterEach(async () => {
    proposals.dispose();
    sessions.dispose();
    await fleet.close();
  });

  async function propose(): Promise<Run & { readonly done: Promise<void> }> {
    started = Promise.withResolvers();
    const done = proposals.propose({ kind: 'items', items: [item] });
    done.catch(() => undefined);
    return { ...(await started.promise), done };
  }

  it('rejects another run while one is under way, so that its review replaces none', async () => {
    const run = await propose();
    const another = proposals.propose({ kind: 'items', items: [item] });
    await assert.rejects(another, { kind: 'conflict' });
    assert.equal(run.signal.aborted, false);
    run.predictions.resolve([{ label: 'dented', confidence: 0.9 }]);
    await run.done;
    assert.deepEqual(
      shown.flatMap(({ images }) => images.flatMap((image) => image.proposals)),
      [{ id: 0, label: 'dented', confidence: 0.9 }],
    );
  });

  it('stops its run when the panel is closed', async () => {
    const run = await propose();
    proposals.dispose();
    assert.equal(run.signal.aborted, true);
    run.predictions.resolve([]);
    await assert.rejects(run.done, { kind: 'canceled' });
  });
});
