import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { Disposable } from '../../../../base/disposable';
import { canceled, FleetError } from '../../../../core/api/errors';
import { type BulkOutcome, unfinishedItems } from '../../../../core/bulk/bulkRun';
import { type BulkTarget, countOf } from '../../../../core/data/bulkTarget';
import { type StoreOutcome, storeLabels } from '../../../../core/data/proposals/storeLabels';
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
import { type ModelVersion, modelVersionText } from './askTrialModel';
import { MAX_IMAGES, ProposalRun, type ProposalTrial } from './proposalRun';
import { deletedImage } from './toImageError';
import type { TrialSession } from './trialSession';

/** A model that runs in a process. */
type Trial = ProposalTrial & AsyncDisposable;

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
  private isRunning = false;
  /** Saves that are under way. */
  private saving = 0;
  /** Aborts when the panel is closed. */
  private readonly closing = new AbortController();

  constructor(private readonly options: ProposalSessionOptions) {
    super();
    this.register({ dispose: () => this.closing.abort(canceled()) });
  }

  handlers(): HostHandlers<typeof proposalMessages> {
    return {
      openProposals: () => Promise.resolve({ proposals: this.review }),
      saveProposals: ({ run, accepted }) => this.saveAccepted(run, accepted),
      closeProposals: ({ unsaved }) => this.close(unsaved),
    };
  }

  /**
   * Prompts for a model, runs it on the unlabeled images of a target, and opens their review. Throws `conflict`
   * while another run or review is not over: a review has decisions that are not saved.
   */
  async propose(target: BulkTarget): Promise<void> {
    if (this.isRunning) {
      throw new FleetError(
        'conflict',
        vscode.l10n.t(
          'A model is already proposing labels in this panel. Wait until it finishes, or cancel it.',
        ),
      );
    }
    if (this.review) {
      throw new FleetError(
        'conflict',
        vscode.l10n.t(
          'Proposed labels are being reviewed in this panel. Save the accepted ones and close the review first.',
        ),
      );
    }
    this.isRunning = true;
    try {
      await this.run(target);
    } finally {
      this.isRunning = false;
    }
  }

  private async run(target: BulkTarget): Promise<void> {
    const { trials, session } = this.options;
    const closed = this.closing.signal;
    const title = vscode.l10n.t('Propose Labels for {0}', imagesText(countOf(target)));
    const version = await trials.ask(onlyOrganization(target), title);
    closed.throwIfAborted();
    const { trialModel, run } = await following(title, async (stopped, report) => {
      const signal = AbortSignal.any([stopped, closed]);
      await using trial = await trials.start(version, signal);
      const onProgress = (count: number): void => report(imagesText(count));
      const options = { stores: session.stores, trial, signal, onProgress };
      return { trialModel: trial.model, run: await ProposalRun.start(target, options) };
    });
    closed.throwIfAborted();
    const { images, items, failed, notStarted } = run;
    if (images.length + failed.length === 0) throw nothingProposed(run, version);
    const model = modelVersionText(version);
    if (images.length > 0) {
      this.model = trialModel;
      this.items = items;
      this.show({ run: randomUUID(), model, task: trialModel.task, images });
    }
    if (failed.length + notStarted > 0) this.offerReport(runReport(run, model, target));
  }

  /** The report would open over the review. */
  private offerReport(report: BulkReport): void {
    const show = vscode.l10n.t('Show Report');
    void vscode.window.showWarningMessage(summaryText(report), show).then((chosen) => {
      if (chosen === show) void this.options.reports.tell(report, {});
    });
  }

  private async saveAccepted(run: string, accepted: readonly AcceptedProposals[]): Promise<void> {
    const { review, items, model } = this;
    if (review?.run !== run || !model || this.saving > 0) return;
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
    this.saving += 1;
    try {
      outcomes = await working(title, accepted, async ({ item, proposals }) => {
        const { binaryData } = this.options.session.stores;
        const outcome = await storeLabels(binaryData, item.id, proposals, model);
        if (outcome === 'unchanged') unchanged += 1;
        else if (outcome !== 'stored') throw notStored(outcome);
      });
    } finally {
      this.saving -= 1;
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
    if (this.saving > 0) {
      throw new FleetError(
        'conflict',
        vscode.l10n.t('The accepted labels are being saved. Close the review when they are saved.'),
      );
    }
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
    ? deletedImage()
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

function runReport(run: ProposalRun, model: string, target: BulkTarget): BulkReport {
  const { predicted, labeled, failed, notStarted, stopped } = run;
  const details = [
    ...(stopped ? [vscode.l10n.t('It ended early: {0}', stopped.message)] : []),
    vscode.l10n.t(
      'Images that have labels of the model already are unchanged. At most {0} images are reviewed at once.',
      numberText(MAX_IMAGES),
    ),
  ];
  return {
    title: vscode.l10n.t('Run {0} on {1}', model, imagesText(countOf(target))),
    ...{ details: details.join('\n'), done: predicted, unchanged: labeled, notStarted },
    failed: failed.map(({ item, error }) => ({ name: reportedName(item), reason: error.message })),
    skipped: [],
  };
}

function nothingProposed({ predicted, labeled }: ProposalRun, version: ModelVersion): FleetError {
  const model = modelVersionText(version);
  return new FleetError(
    'notFound',
    predicted > 0
      ? vscode.l10n.t(
          '{0} finds nothing on these images. Select other images or another model.',
          model,
        )
      : labeled > 0
        ? vscode.l10n.t(
            'All of these images have labels of {0} already. Select images without labels, or another model.',
            model,
          )
        : vscode.l10n.t('There are no images to run {0} on. Refresh the list.', model),
  );
}
