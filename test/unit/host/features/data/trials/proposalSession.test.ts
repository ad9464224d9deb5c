import { cancelProgress } from '../../../../../support/plainVscode';
import assert from 'node:assert/strict';
import { FleetError } from '../../../../../../src/core/api/errors';
import type { BulkTarget } from '../../../../../../src/core/data/actions/bulkAction';
import { everyCapture } from '../../../../../../src/core/model/captureFilter';
import type { BinaryItem } from '../../../../../../src/core/model/binaryItem';
import { connectionId, organizationId } from '../../../../../../src/core/model/ids';
import { everyData } from '../../../../../../src/shared/data/dataFilter';
import { ProposalReview } from '../../../../../../src/host/features/data/trials/proposalReview';
import { StoredReviews } from '../../../../../../src/host/features/data/trials/storedReviews';
import { SuspendedReviews } from '../../../../../../src/host/features/data/trials/suspendedReviews';
import { ProposalSession } from '../../../../../../src/host/features/data/trials/proposalSession';
import type { TrialProcess } from '../../../../../../src/host/features/data/trials/trialProcess';
import type { TrialSession } from '../../../../../../src/host/features/data/trials/trialSession';
import type {
  AfterRun,
  BulkReport,
} from '../../../../../../src/host/platform/commands/bulkReports';
import type { ProgramProcess } from '../../../../../../src/processes/programProcess';
import type { Proposals } from '../../../../../../src/shared/data/proposals';
import { ScriptedPrompts } from '../../../../../host/support/scriptedPrompts';
import { MemoryKeyValue } from '../../../../../support/memoryPorts';
import { silentLogger } from '../../../../../support/silentLogger';
import { waitUntil } from '../../../../../support/waitUntil';
import { MODEL, toItemTarget, TrialFleet } from './trialFleet';

const { signal } = new AbortController();

describe('ProposalSession', function () {
  this.timeout(120_000);
  let fleet: TrialFleet;
  let prompts: ScriptedPrompts;
  let trials: TrialSession;
  let proposals: ProposalSession;
  let shown: Proposals[];
  let shownReports: { readonly report: BulkReport; readonly after: AfterRun }[];
  let started: TrialProcess[];
  let suspended: SuspendedReviews;
  let storage: MemoryKeyValue;
  /** The suspended reviews that were offered to open panels. */
  let offered: (string | undefined)[];

  beforeEach(async () => {
    fleet = await TrialFleet.open();
    prompts = new ScriptedPrompts();
    trials = fleet.openTrials();
    [shown, shownReports, started, offered] = [[], [], [], []];
    storage = new MemoryKeyValue();
    suspended = new SuspendedReviews(
      (run) => {
        proposals = openPanel();
        proposals.resume(run);
        return Promise.resolve();
      },
      (error) => assert.fail(String(error)),
      new StoredReviews(storage, silentLogger),
    );
    proposals = openPanel();
  });

  /** Returns the session of a panel for the organization. */
  function openPanel(name = 'org-1'): ProposalSession {
    const target = { kind: 'organization', organizationId: organizationId(name), name } as const;
    return new ProposalSession({
      session: fleet.session,
      trials: {
        pickModel: (organization, title) => trials.pickModel(organization, title),
        start: async (...args) => {
          const trial = await trials.start(...args);
          started.push(trial);
          return trial;
        },
      },
      reports: {
        showReport: (report, after) => Promise.resolve(void shownReports.push({ report, after })),
      },
      suspended,
      panel: () => ({
        target: { ...target, connectionId: connectionId('connection-1') },
        owner: target.organizationId,
        filter: everyData,
        tab: 'images',
      }),
      notify: (review) => shown.push(review),
      notifySuspended: (review) => offered.push(review?.text),
      showImages: () => undefined,
      focus: () => undefined,
    });
  }

  afterEach(async () => {
    suspended.dispose();
    proposals.dispose();
    trials.dispose();
    prompts[Symbol.dispose]();
    await fleet[Symbol.asyncDispose]();
  });

  /** Runs the model on images to propose labels. */
  async function propose(target: BulkTarget): Promise<void> {
    const run = proposals.propose(target);
    await Promise.race([prompts.pick('Propose Labels for', MODEL), run]);
    await run;
  }

  function lastReview(): Proposals {
    return shown.at(-1) ?? assert.fail('no review');
  }

  const proposedImages = (): readonly string[] => lastReview().images.map(({ id }) => id);

  /** Returns the report of a run, which the user opens from the run's message. */
  async function openReport(message: RegExp): Promise<BulkReport> {
    await prompts.message(message, 'Show Report');
    await waitUntil(() => shownReports.length > 0);
    return shownReports.at(-1)?.report ?? assert.fail('no report');
  }

  /** Saves the first proposal of every image. */
  async function saveAll(): Promise<void> {
    const { run, images } = lastReview();
    const accepted = images.map(({ id }) => ({ image: id, proposals: [0] }));
    await proposals.handlers().saveProposals({ run, accepted });
  }

  async function openReview(): Promise<Proposals | undefined> {
    return (await proposals.handlers().openProposals(undefined, signal)).proposals;
  }

  it('counts labeled, damaged, and deleted images, and proposes labels for the others', async () => {
    const [first, second, deleted] = await fleet.capture(3);
    const [labeled] = await fleet.capture(1, ['intact']);
    const [damaged] = await fleet.capture(1, [], Buffer.from('no image'));
    assert.ok(first && second && deleted && labeled && damaged);
    await fleet.images.delete([deleted.id]);
    await propose(toItemTarget([first, deleted, labeled, damaged, second]));
    assert.deepEqual(proposedImages(), [first.id, second.id]);
    assert.deepEqual(
      lastReview().images.map((image) => image.proposals.length),
      [1, 1],
    );
    const report = await openReport(/on 5 images: 2 done, 1 unchanged, 2 failed\.$/);
    assert.equal(report.notStarted, 0);
    const reasons = report.failed.map(({ reason }) => reason.replace(/ because .*/s, ''));
    assert.deepEqual(reasons, [
      'The image was deleted. Refresh the list.',
      "The image can't be read",
    ]);
  });

  it('counts deleted images that the service omits from its response', async () => {
    const items = await fleet.capture(2);
    const { images } = fleet;
    const original = images.get.bind(images);
    images.get = async (...args) =>
      (await original(...args)).filter(({ id }) => id !== items[0]?.id);
    await propose(toItemTarget(items));
    assert.deepEqual(proposedImages(), [items[1]?.id]);
    await prompts.message(/on 2 images: 1 done, 1 failed\.$/);
  });

  it('continues after an image that cannot be downloaded', async () => {
    const items = await fleet.capture(3);
    fleet.beforeContents((count) => {
      if (count === 1) throw new FleetError('unavailable', 'The connection was lost.');
    });
    await propose(toItemTarget(items));
    assert.deepEqual(proposedImages(), [items[0]?.id, items[2]?.id]);
    const { failed } = await openReport(/: 2 done, 1 failed\.$/);
    assert.deepEqual(
      failed.map(({ reason }) => reason),
      ['The connection was lost.'],
    );
  });

  it('shows completed proposals when the process exits', async () => {
    const items = await fleet.capture(4);
    fleet.beforeContents(async (count) => {
      if (count !== 2) return;
      const { process } = started[0] as unknown as { process: ProgramProcess };
      process.child.kill('SIGKILL');
      await process.exited;
    });
    await propose(toItemTarget(items));
    assert.deepEqual(proposedImages(), [items[0]?.id, items[1]?.id]);
    const { details = '', notStarted } = await openReport(/: 2 done, 1 failed, 1 not started\.$/);
    assert.ok(JSON.stringify(notStarted).includes(items[3]?.id ?? '?'));
    assert.match(details, /^The action stopped early: The process that runs the model exited/);
  });

  it('reports a process that exits before its first result', async () => {
    fleet.beforeContents(async () => {
      const { process } = started[0] as unknown as { process: ProgramProcess };
      process.child.kill('SIGKILL');
      await process.exited;
    });
    await assert.rejects(propose(toItemTarget(await fleet.capture(2))), { kind: 'unavailable' });
    assert.deepEqual(shown, []);
  });

  it('shows completed proposals when it is canceled', async () => {
    const items = await fleet.capture(4);
    fleet.beforeContents((count) => {
      if (count === 2) cancelProgress();
    });
    await propose(toItemTarget(items));
    assert.deepEqual(proposedImages(), [items[0]?.id, items[1]?.id]);
    await prompts.message(/: 2 done, 2 not started\.$/);
  });

  it('throws canceled without completed proposals', async () => {
    const items = await fleet.capture(2);
    fleet.beforeContents(() => cancelProgress());
    await assert.rejects(propose(toItemTarget(items)), { kind: 'canceled' });
    assert.deepEqual(shown, []);
  });

  it('runs the model on at most 200 images', async () => {
    await propose(toItemTarget(await fleet.capture(203)));
    assert.equal(lastReview().images.length, 200);
    await prompts.message(/on 203 images: 200 done, 3 not started\.$/);
  });

  it('counts no images of a filter that were deleted since they were counted', async () => {
    const items = await fleet.capture(2);
    const filter = { ...everyCapture, organizationIds: [fleet.organization] };
    await propose({ kind: 'filter', filter, count: 5, placement: 'images' });
    assert.deepEqual([...proposedImages()].sort(), items.map(({ id }) => id as string).sort());
    assert.deepEqual(prompts.openMessages, []);
  });

  it('stops when the panel is closed', async () => {
    const items = await fleet.capture(4);
    let downloads = 0;
    fleet.beforeContents((count) => {
      downloads = count + 1;
      if (count === 1) proposals.dispose();
    });
    await assert.rejects(propose(toItemTarget(items)), { kind: 'canceled' });
    assert.equal(downloads, 2);
    assert.deepEqual(shown, []);
  });

  it('rejects a second run while one is running', async () => {
    const items = await fleet.capture(1);
    const { promise, resolve } = Promise.withResolvers<undefined>();
    let downloads = 0;
    fleet.beforeContents(() => {
      downloads += 1;
      return promise;
    });
    const first = propose(toItemTarget(items));
    await waitUntil(() => downloads === 1);
    await assert.rejects(proposals.propose(toItemTarget(items)), { kind: 'conflict' });
    resolve(undefined);
    await first;
    assert.equal(shown.length, 1);
  });

  it('rejects a run while labels are being reviewed, and preserves the review', async () => {
    const items = await fleet.capture(2);
    await propose(toItemTarget(items));
    const review = await openReview();
    await assert.rejects(proposals.propose(toItemTarget(items)), { kind: 'conflict' });
    assert.deepEqual(await openReview(), review);
    await proposals.handlers().closeProposals({ unsaved: 0 });
    assert.deepEqual(lastReview().images, []);
    await propose(toItemTarget(items));
    assert.equal(lastReview().images.length, 2);
  });

  it('opens no review if all images have failed', async () => {
    await propose(toItemTarget(await fleet.capture(1, [], Buffer.from('no image'))));
    assert.deepEqual(shown, []);
    await prompts.message(/: 0 done, 1 failed\.$/);
  });

  it('explains what to do if there is nothing to propose', async () => {
    await assert.rejects(propose(toItemTarget(await fleet.capture(2, ['damaged']))), {
      message: `All of these images already have labels from ${MODEL}. Select images without labels, or select another model.`,
    });
  });

  it('saves accepted labels, and retries those that failed', async () => {
    const items = await fleet.capture(2);
    await propose(toItemTarget(items));
    const { images } = fleet;
    const original = images.addTags.bind(images);
    images.addTags = (ids, ...rest) =>
      ids[0] === items[1]?.id
        ? Promise.reject(new FleetError('unavailable', 'The connection was lost.'))
        : original(ids, ...rest);
    await saveAll();
    assert.deepEqual(proposedImages(), [items[1]?.id]);
    assert.deepEqual(
      (await fleet.readTags(items)).map(({ length }) => length),
      [1, 0],
    );
    const { report, after } = shownReports[0] ?? assert.fail('no report');
    assert.deepEqual([report.done, report.unchanged, report.failed.length], [1, 0, 1]);
    images.addTags = original;
    await after.retry?.();
    assert.deepEqual(
      (await fleet.readTags(items)).map(({ length }) => length),
      [1, 1],
    );
    assert.equal(await openReview(), undefined);
    assert.equal(shownReports[1]?.after.retry, undefined);
  });

  it('leaves the review open while labels are saved', async () => {
    const items = await fleet.capture(1);
    await propose(toItemTarget(items));
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const { images } = fleet;
    const original = images.addTags.bind(images);
    let calls = 0;
    images.addTags = async (...args) => {
      calls += 1;
      await promise;
      return original(...args);
    };
    const saving = saveAll();
    await waitUntil(() => calls === 1);
    const closing = Promise.resolve(proposals.handlers().closeProposals({ unsaved: 1 }));
    await assert.rejects(closing, { kind: 'conflict' });
    assert.equal((await openReview())?.images.length, 1);
    resolve(undefined);
    await saving;
    assert.equal((await fleet.readTags(items))[0]?.length, 1);
  });

  it('reports an image that was deleted during the review', async () => {
    const items = await fleet.capture(2);
    await propose(toItemTarget(items));
    await fleet.images.delete(items.slice(0, 1).map(({ id }) => id));
    await saveAll();
    const { report } = shownReports[0] ?? assert.fail('no report');
    assert.equal(report.done, 1);
    assert.deepEqual(
      report.failed.map(({ reason }) => reason),
      ['The image was deleted. Refresh the list.'],
    );
  });

  it('confirms before it closes a review with accepted labels', async () => {
    await propose(toItemTarget(await fleet.capture(1)));
    const closing = Promise.resolve(proposals.handlers().closeProposals({ unsaved: 2 }));
    (await prompts.next('2 accepted labels are not saved.')).leave();
    await assert.rejects(closing, { kind: 'canceled' });
    assert.equal((await openReview())?.images.length, 1);
    const again = proposals.handlers().closeProposals({ unsaved: 1 });
    await prompts.confirm('1 accepted label is not saved.', 'Close Without Saving');
    await again;
    assert.equal(await openReview(), undefined);
  });

  /** Accepts the first proposal of each image. */
  function accept(items: readonly BinaryItem[]): void {
    const { run } = lastReview();
    const accepted = items.map(({ id }) => ({ image: id, proposals: [0] }));
    const decisions = { threshold: 0.4, accepted, rejected: [] };
    void proposals.handlers().decideProposals({ run, decisions });
  }

  async function suspendedText(): Promise<string | undefined> {
    return (await proposals.handlers().suspendedReview(undefined, signal)).suspended?.text;
  }

  describe('when the panel is closed during a review', () => {
    const UNSAVED =
      'A review of labels proposed by "carton-check 1.0.0" was closed with 2 unsaved accepted labels.';

    it('preserves the decisions, and resumes the review from the message', async () => {
      const items = await fleet.capture(3);
      await propose(toItemTarget(items));
      accept(items.slice(0, 2));
      const review = lastReview();
      proposals.dispose();
      await prompts.message(UNSAVED, 'Resume Review');
      await waitUntil(() => shown.length === 2);
      const accepted = items.slice(0, 2).map(({ id }) => ({ image: id, proposals: [0] }));
      assert.deepEqual(await openReview(), {
        ...review,
        decisions: { threshold: 0.4, accepted, rejected: [] },
      });
      assert.equal(await suspendedText(), undefined);
      await saveAll();
      assert.deepEqual(
        (await fleet.readTags(items)).map(({ length }) => length),
        [1, 1, 1],
      );
    });

    it('offers the review in panels of the same target until it is resumed or discarded', async () => {
      const items = await fleet.capture(2);
      await propose(toItemTarget(items));
      accept(items);
      proposals.dispose();
      await prompts.message(UNSAVED);
      proposals = openPanel('org-2');
      assert.equal(await suspendedText(), undefined);
      proposals.dispose();
      proposals = openPanel();
      assert.equal(await suspendedText(), UNSAVED);
      await assert.rejects(proposals.propose(toItemTarget(items)), {
        kind: 'conflict',
        message: /^An earlier review has accepted labels that aren't saved\./,
      });
      const { run } = lastReview();
      void proposals.handlers().resumeReview({ run });
      assert.equal((await openReview())?.images.length, 2);
      assert.equal(offered.at(-1), undefined);
      proposals.dispose();
      await prompts.message(UNSAVED);
      proposals = openPanel();
      const discarding = proposals.handlers().discardReview({ run });
      await prompts.confirm('2 accepted labels are not saved.', 'Close Without Saving');
      await discarding;
      assert.equal(await suspendedText(), undefined);
      await propose(toItemTarget(items));
      assert.notEqual(lastReview().run, run);
    });

    it('discards the review from the message, but not one that was resumed since', async () => {
      const items = await fleet.capture(2);
      await propose(toItemTarget(items));
      accept(items);
      proposals.dispose();
      await waitUntil(() => prompts.openMessages.length === 1);
      proposals = openPanel();
      void proposals.handlers().resumeReview({ run: lastReview().run });
      proposals.dispose();
      await waitUntil(() => prompts.openMessages.length === 2);
      await prompts.message(UNSAVED, 'Discard');
      proposals = openPanel();
      assert.equal(await suspendedText(), UNSAVED);
      await prompts.message(UNSAVED, 'Discard');
      await waitUntil(() => offered.at(-1) === undefined);
      assert.equal(await suspendedText(), undefined);
      await waitUntil(() => new StoredReviews(storage, silentLogger).list().length === 0);
      assert.deepEqual(
        (await fleet.readTags(items)).map(({ length }) => length),
        [0, 0],
      );
    });

    it('offers nothing if no label was accepted, or the window closes', async () => {
      const items = await fleet.capture(2);
      await propose(toItemTarget(items));
      accept(items);
      await waitUntil(() => new StoredReviews(storage, silentLogger).list().length === 1);
      accept([]);
      await waitUntil(() => new StoredReviews(storage, silentLogger).list().length === 0);
      proposals.dispose();
      proposals = openPanel();
      assert.equal(await suspendedText(), undefined);
      await propose(toItemTarget(items));
      accept(items);
      suspended.dispose();
      proposals.dispose();
      assert.deepEqual(prompts.openMessages, []);
    });

    it('offers the labels that could not be saved after the save has finished', async () => {
      const items = await fleet.capture(3);
      await propose(toItemTarget(items));
      accept(items);
      const { images } = fleet;
      const original = images.addTags.bind(images);
      const { promise, resolve } = Promise.withResolvers<undefined>();
      let calls = 0;
      images.addTags = async (ids, ...rest) => {
        calls += 1;
        await promise;
        if (ids[0] === items[2]?.id) {
          throw new FleetError('unavailable', 'The connection was lost.');
        }
        return original(ids, ...rest);
      };
      const saving = saveAll();
      await waitUntil(() => calls > 0);
      proposals.dispose();
      assert.deepEqual(prompts.openMessages, []);
      resolve(undefined);
      await saving;
      await prompts.message(/ was closed with 1 unsaved accepted label\.$/);
      images.addTags = original;
      proposals = openPanel();
      assert.match((await suspendedText()) ?? '', /1 unsaved accepted label/);
      await shownReports[0]?.after.retry?.();
      assert.equal(offered.at(-1), undefined);
      assert.equal(await suspendedText(), undefined);
      assert.deepEqual(
        (await fleet.readTags(items)).map(({ length }) => length),
        [1, 1, 1],
      );
    });

    it('stores the review while it is open, and offers it after a window reload', async () => {
      const items = await fleet.capture(3);
      await propose(toItemTarget(items));
      accept(items.slice(0, 2));
      const review = await openReview();
      // The window closes without closing its panels.
      const stored = new StoredReviews(storage, silentLogger).list()[0] ?? assert.fail();
      assert.equal(stored.panel.target.connectionId, 'connection-1');
      suspended.dispose();
      proposals.dispose();
      suspended = new SuspendedReviews(
        () => Promise.resolve(),
        (error) => assert.fail(String(error)),
        new StoredReviews(storage, silentLogger),
      );
      const { session } = fleet;
      const reports = { showReport: () => Promise.resolve(undefined) };
      suspended.add(ProposalReview.restore(stored.state, { session, reports }), stored.panel);
      await prompts.message(UNSAVED);
      proposals = openPanel();
      assert.equal(await suspendedText(), UNSAVED);
      void proposals.handlers().resumeReview({ run: review?.run ?? '' });
      assert.deepEqual(await openReview(), review);
      await saveAll();
      assert.deepEqual(
        (await fleet.readTags(items)).map(({ length }) => length),
        [1, 1, 1],
      );
      assert.deepEqual(new StoredReviews(storage, silentLogger).list(), []);
    });

    it('drops the review if the user chose to close it without saving', async () => {
      const items = await fleet.capture(1);
      await propose(toItemTarget(items));
      accept(items);
      const closing = proposals.handlers().closeProposals({ unsaved: 1 });
      const dialog = await prompts.next('1 accepted label is not saved.');
      proposals.dispose();
      dialog.accept('Close Without Saving');
      await closing;
      proposals = openPanel();
      assert.equal(await suspendedText(), undefined);
    });
  });
});
