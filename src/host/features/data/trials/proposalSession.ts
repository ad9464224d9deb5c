import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { Disposable, toDisposable } from '../../../../base/disposable';
import { canceled, FleetError, isCanceled } from '../../../../core/api/errors';
import { type BulkOutcome, unfinishedItems } from '../../../../core/bulk/bulkRun';
import { pagesOf } from '../../../../core/data/actions/targetPages';
import { type BulkTarget, countOf } from '../../../../core/data/bulkTarget';
import {
  isUnlabeled,
  type StoreOutcome,
  storeLabels,
} from '../../../../core/data/proposals/storeLabels';
import type { BinaryItem } from '../../../../core/model/binaryItem';
import type { OrganizationId } from '../../../../core/model/ids';
import type { TrialModel } from '../../../../core/model/modelTrial';
import type {
  AcceptedProposals,
  proposalMessages,
  Proposals,
  ProposedImage,
} from '../../../../shared/data/proposals';
import type { HostHandlers } from '../../../../shared/protocol';
import { type BulkReport, reportOf, summaryText } from '../../../platform/bulkReport';
import type { BulkReports } from '../../../platform/bulkReports';
import { following, working } from '../../../platform/progress';
import { confirm } from '../../../platform/prompts';
import { numberText } from '../../../platform/quantityText';
import { imagesText } from '../../../platform/trainingText';
import { reportedName } from '../actions/actionReport';
import { organizationsOf } from '../actions/actionText';
import type { DataSession } from '../dataSession';
import { itemName } from '../items/itemViews';
import { type ModelVersion, modelVersionText } from './askTrialModel';
import type { TrialProcess } from './trialProcess';
import { readImage, type TrialSession } from './trialSession';

/** More images than a person reviews at once. */
const MAX_IMAGES = 200;
/** Proposals below this confidence are never shown. */
const MIN_CONFIDENCE = 0.05;
const MAX_PROPOSALS = 20;

/** A model that runs in a process. */
type Trial = Pick<TrialProcess, 'predict' | typeof Symbol.asyncDispose> & {
  readonly model: ProposingModel;
};

/** Prompts for models, and starts them. */
interface Trials extends Pick<TrialSession, 'ask'> {
  start(version: ModelVersion, signal: AbortSignal): Promise<Trial>;
}

export interface ProposalSessionOptions {
  readonly session: Pick<DataSession, 'stores'>;
  readonly trials: Trials;
  readonly reports: Pick<BulkReports, 'tell'>;
  readonly notify: (proposals: Proposals) => void;
  /** Gives the keyboard back to the panel after a dialog. */
  readonly focus: () => void;
}

/** Images for which a model was run. */
interface Run {
  /** Unlabeled images for which the model was run, also in vain. */
  readonly items: BinaryItem[];
  readonly images: ProposedImage[];
  readonly failed: { readonly name: string; readonly reason: string }[];
  /** Images of `items` for which it failed. */
  unpredicted: number;
  labeled: number;
  /** Images beyond the limit, or those that were left when it was canceled. */
  notStarted: number;
}

type ProposingModel = Pick<TrialModel, 'task' | 'labels'>;

/** An image with the labels that a person accepted for it. */
interface Accepted {
  readonly item: BinaryItem;
  readonly proposals: ProposedImage['proposals'];
}

/** Has models propose labels for the images of a panel, and stores those that a person accepts. */
export class ProposalSession extends Disposable {
  private review: Proposals | undefined;
  private model: ProposingModel | undefined;
  private items: ReadonlyMap<string, BinaryItem> = new Map();
  /** Stopped when another run starts, whose review would replace this one's, and with the panel. */
  private running: AbortController | undefined;

  constructor(private readonly options: ProposalSessionOptions) {
    super();
    this.register(toDisposable(() => this.running?.abort(canceled())));
  }

  handlers(): HostHandlers<typeof proposalMessages> {
    return {
      openProposals: () => Promise.resolve({ proposals: this.review }),
      saveProposals: ({ run, accepted }) => this.saveAccepted(run, accepted),
      closeProposals: ({ unsaved }) => this.close(unsaved),
    };
  }

  /** Prompts for a model, runs it on the unlabeled images of a target, and opens their review. */
  async propose(target: BulkTarget): Promise<void> {
    const { trials, reports } = this.options;
    const title = vscode.l10n.t('Propose Labels for {0}', imagesText(countOf(target)));
    const version = await trials.ask(onlyOrganization(target), title);
    const model = modelVersionText(version);
    this.running?.abort(canceled());
    const running = new AbortController();
    this.running = running;
    const { task, labels, done } = await following(title, async (stopped, report) => {
      const signal = AbortSignal.any([stopped, running.signal]);
      await using trial = await trials.start(version, signal);
      return { ...trial.model, done: await this.predict(trial, target, signal, report) };
    });
    running.signal.throwIfAborted();
    const { items, images, failed, unpredicted, labeled, notStarted } = done;
    if (images.length + failed.length === 0) throw nothingProposed(done, version);
    this.model = { task, labels };
    this.items = new Map(items.map((item) => [item.id, item]));
    this.show({ run: randomUUID(), model, task, images });
    if (failed.length + notStarted === 0) return;
    const report = {
      title: vscode.l10n.t('Run {0} on {1}', model, imagesText(countOf(target))),
      ...{
        done: items.length - unpredicted,
        unchanged: labeled,
        failed,
        skipped: [],
        notStarted,
      },
      details: vscode.l10n.t(
        'Images that have labels of the model already are unchanged. At most {0} images are reviewed at once.',
        numberText(MAX_IMAGES),
      ),
    };
    // The report would open over the review.
    const show = vscode.l10n.t('Show Report');
    void vscode.window.showWarningMessage(summaryText(report), show).then((chosen) => {
      if (chosen === show) void reports.tell(report, {});
    });
  }

  private async predict(
    trial: Trial,
    target: BulkTarget,
    signal: AbortSignal,
    report: (message: string) => void,
  ): Promise<Run> {
    const run: Run = {
      items: [],
      images: [],
      failed: [],
      unpredicted: 0,
      labeled: 0,
      notStarted: 0,
    };
    const { stores } = this.options.session;
    for await (const page of pagesOf(stores.binaryData, target, true, signal)) {
      for (const { item, error } of page.failed) {
        run.failed.push({ name: reportedName(item), reason: error.message });
      }
      for (const item of page.items) {
        if (signal.aborted || run.items.length === MAX_IMAGES) break;
        if (!isUnlabeled(item, trial.model)) {
          run.labeled += 1;
          continue;
        }
        await this.predictOne(trial, item, run, signal);
        report(imagesText(run.items.length));
      }
      if (run.items.length === MAX_IMAGES) break;
    }
    if (signal.aborted && run.images.length === 0) throw canceled();
    const unreadable = run.failed.length - run.unpredicted;
    const through = run.labeled + run.items.length + unreadable;
    run.notStarted = Math.max(0, countOf(target) - through);
    return run;
  }

  private async predictOne(
    trial: Trial,
    item: BinaryItem,
    run: Run,
    signal: AbortSignal,
  ): Promise<void> {
    try {
      const predictions = await trial.predict(
        await readImage(this.options.session.stores, item, signal),
      );
      const proposals = predictions
        .filter(({ confidence }) => confidence >= MIN_CONFIDENCE)
        .slice(0, trial.model.task === 'singleLabelClassification' ? 1 : MAX_PROPOSALS)
        .map((prediction, id) => ({ ...prediction, id }));
      run.items.push(item);
      const { id, sizeBytes } = item;
      if (proposals.length > 0) run.images.push({ id, name: itemName(item), sizeBytes, proposals });
    } catch (error) {
      if (signal.aborted || isCanceled(error)) return;
      // Without the process, no further image can be predicted.
      if (error instanceof FleetError && error.kind === 'unavailable') throw error;
      run.items.push(item);
      run.unpredicted += 1;
      const reason = error instanceof Error ? error.message : String(error);
      run.failed.push({ name: reportedName(item), reason });
    }
  }

  private async saveAccepted(run: string, accepted: readonly AcceptedProposals[]): Promise<void> {
    const { review, items, model } = this;
    if (review?.run !== run || !model) return;
    const labels = accepted.flatMap(({ image, proposals }): readonly Accepted[] => {
      const item = items.get(image);
      const known = review.images.find(({ id }) => id === image)?.proposals ?? [];
      const chosen = known.filter(({ id }) => proposals.includes(id));
      return item && chosen.length > 0 ? [{ item, proposals: chosen }] : [];
    });
    await this.save(run, model, labels);
  }

  private async save(
    run: string,
    model: ProposingModel,
    accepted: readonly Accepted[],
  ): Promise<void> {
    const title = vscode.l10n.t('Save labels of {0}', imagesText(accepted.length));
    let unchanged = 0;
    let outcomes: readonly BulkOutcome<Accepted>[] = [];
    try {
      outcomes = await working(title, accepted, async ({ item, proposals }) => {
        const { binaryData } = this.options.session.stores;
        const outcome = await storeLabels(binaryData, item.id, proposals, model);
        if (outcome === 'unchanged') unchanged += 1;
        else if (outcome !== 'stored') throw notStored(outcome);
      });
    } finally {
      this.forget(run, outcomes);
    }
    const rest = unfinishedItems(outcomes);
    await this.options.reports.tell(savedReport(title, outcomes, unchanged), {
      retry: rest.length > 0 ? () => this.save(run, model, rest) : undefined,
    });
  }

  /** Takes what is stored out of the review. */
  private forget(run: string, outcomes: readonly BulkOutcome<Accepted>[]): void {
    const { review } = this;
    if (review?.run !== run) return;
    const saved = new Map(
      outcomes.flatMap(({ item: { item, proposals }, state }) =>
        state === 'done' ? [[item.id as string, new Set(proposals.map(({ id }) => id))]] : [],
      ),
    );
    const images = review.images
      .map((image) => ({
        ...image,
        proposals: image.proposals.filter(({ id }) => saved.get(image.id)?.has(id) !== true),
      }))
      .filter(({ proposals }) => proposals.length > 0);
    this.show({ ...review, images });
  }

  private async close(unsaved: number): Promise<void> {
    if (unsaved > 0) {
      try {
        await confirm(
          vscode.l10n.t('Close the review?'),
          unsaved === 1
            ? vscode.l10n.t('1 accepted label is not saved.')
            : vscode.l10n.t('{0} accepted labels are not saved.', numberText(unsaved)),
          vscode.l10n.t('Close Without Saving'),
        );
      } finally {
        this.options.focus();
      }
    }
    if (this.review) this.show({ ...this.review, images: [] });
  }

  private show(review: Proposals): void {
    this.review = review.images.length > 0 ? review : undefined;
    if (!this.isDisposed) this.options.notify(review);
  }
}

function notStored(outcome: Extract<StoreOutcome, 'labeled' | 'deleted'>): FleetError {
  return outcome === 'deleted'
    ? new FleetError('notFound', vscode.l10n.t('The image was deleted in the meantime.'))
    : new FleetError(
        'conflict',
        vscode.l10n.t(
          'Another user gave the image another label of the model, which allows one label per image. Reject the proposal, or remove that tag and save again.',
        ),
      );
}

function savedReport(
  title: string,
  outcomes: readonly BulkOutcome<Accepted>[],
  unchanged: number,
): BulkReport {
  const report = reportOf(title, outcomes, ({ item }) => reportedName(item));
  const done = outcomes.filter(({ state }) => state === 'done').length - unchanged;
  return { ...report, done, unchanged };
}

/** A model belongs to one organization. Throws `invalid` for images of several. */
function onlyOrganization(target: BulkTarget): OrganizationId {
  const [organization, other] = organizationsOf(target);
  if (organization !== undefined && other === undefined) return organization;
  throw new FleetError(
    'invalid',
    vscode.l10n.t(
      'These images belong to several organizations. Narrow the filter to one of them, whose models can then be used.',
    ),
  );
}

function nothingProposed({ items, labeled }: Run, version: ModelVersion): FleetError {
  const model = modelVersionText(version);
  return new FleetError(
    'notFound',
    items.length > 0
      ? vscode.l10n.t('{0} finds nothing on these images.', model)
      : labeled > 0
        ? vscode.l10n.t('All of these images have labels of {0} already.', model)
        : vscode.l10n.t('There are no images to run {0} on.', model),
  );
}
