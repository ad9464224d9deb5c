import assert from 'node:assert/strict';
import type { BinaryItem } from '../../src/core/model/binaryItem';
import type { Prediction } from '../../src/core/model/modelTrial';
import type { RegistryItem } from '../../src/core/model/registryItem';
import { connectionId, organizationId } from '../../src/core/model/ids';
import { ProposalSession } from '../../src/host/features/data/trials/proposalSession';
import { StoredReviews } from '../../src/host/features/data/trials/storedReviews';
import { SuspendedReviews } from '../../src/host/features/data/trials/suspendedReviews';
import { everyData } from '../../src/shared/data/dataFilter';
import type { Proposals } from '../../src/shared/data/proposals';
import { AnnotatedImage } from '../support/annotatedImage';
import { type MemoryFleet, openMemoryFleet } from '../support/memoryFleet';
import { MemoryKeyValue } from '../support/memoryPorts';
import { silentLogger } from '../support/silentLogger';
import { TestSessions } from '../support/testSessions';
import { waitUntil } from '../support/waitUntil';
import { ScriptedPrompts } from './support/scriptedPrompts';

const version = { item: { name: 'sorter' } as RegistryItem, version: '1.0.0' };
const model = { task: 'singleLabelClassification', labels: ['dented', 'intact'] } as const;

/** A run whose predictions arrive when the test releases them, as in a run on many images. */
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
  let suspended: SuspendedReviews;
  let prompts: ScriptedPrompts;

  beforeEach(async () => {
    fleet = await openMemoryFleet();
    sessions = new TestSessions(fleet);
    const { id } = await AnnotatedImage.capture(fleet);
    const [captured] = await sessions.stores().binaryData.get([id]);
    item = captured ?? assert.fail();
    shown = [];
    prompts = new ScriptedPrompts();
    suspended = new SuspendedReviews(
      (run) => {
        proposals = openPanel();
        proposals.resume(run);
        return Promise.resolve();
      },
      (error) => assert.fail(String(error)),
      new StoredReviews(new MemoryKeyValue(), silentLogger),
    );
    proposals = openPanel();
  });

  afterEach(async () => {
    suspended.dispose();
    proposals.dispose();
    prompts[Symbol.dispose]();
    sessions.dispose();
    await fleet.close();
  });

  function openPanel(): ProposalSession {
    const organization = organizationId('org-1');
    return new ProposalSession({
      session: { stores: sessions.stores() },
      trials: {
        pickModel: () => Promise.resolve(version),
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
      reports: { showReport: () => Promise.resolve() },
      suspended,
      panel: () => ({
        target: {
          kind: 'organization',
          organizationId: organization,
          name: 'Norrvik',
          connectionId: connectionId('connection-1'),
        },
        owner: organization,
        filter: everyData,
        tab: 'images',
      }),
      notify: (review) => shown.push(review),
      notifySuspended: () => undefined,
      showImages: () => undefined,
      focus: () => undefined,
    });
  }

  async function propose(): Promise<Run & { readonly done: Promise<void> }> {
    started = Promise.withResolvers();
    const done = proposals.propose({ kind: 'items', items: [item] });
    done.catch(() => undefined);
    return { ...(await started.promise), done };
  }

  it('rejects another run while one is running, so that its review replaces none', async () => {
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

  it('offers accepted labels again when the panel is closed, and saves them then', async () => {
    const { predictions, done } = await propose();
    predictions.resolve([{ label: 'dented', confidence: 0.9 }]);
    await done;
    const { run } = shown[0] ?? assert.fail();
    const accepted = [{ image: item.id, proposals: [0] }];
    const decisions = { threshold: 0.5, accepted, rejected: [] };
    void proposals.handlers().decideProposals({ run, decisions });
    proposals.dispose();
    await prompts.message(/^A review .*1 unsaved accepted label\.$/, 'Resume Review');
    await waitUntil(() => shown.length === 2);
    assert.deepEqual(shown[1], { ...shown[0], decisions });
    await proposals.handlers().saveProposals({ run, accepted });
    const [saved] = await sessions.stores().binaryData.get([item.id]);
    assert.ok(saved?.tags.includes('dented'));
    proposals.dispose();
    assert.deepEqual(prompts.openMessages, []);
  });
});
