import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { Disposable, DisposableSet } from '../../../../base/disposable';
import { canceled, FleetError } from '../../../../core/api/errors';
import { type BulkTarget, getItemCount } from '../../../../core/data/actions/bulkAction';
import type {
  proposalMessages,
  Proposals,
  ReviewDecisions,
  SuspendedReview,
} from '../../../../shared/data/proposals';
import type { HostHandlers } from '../../../../shared/protocol';
import {
  type BulkReport,
  type BulkReports,
  formatSummary,
  isClean,
} from '../../../platform/commands/bulkReports';
import { trackProgress } from '../../../platform/commands/progress';
import { confirm } from '../../../platform/prompts/prompts';
import { formatNumber } from '../../../platform/text/displayText';
import { formatImageCount } from '../../../platform/text/trainingText';
import { reportedName, reportedNames, requireOneOrganization } from '../actions/actionMessages';
import type { PanelStart } from '../panelDescription';
import type { DataSession } from '../dataSession';
import { formatModelVersion, type ModelVersion, type TrialSession } from './trialSession';
import { ProposalReview } from './proposalReview';
import { MAX_IMAGES, ProposalRun, type ProposalTrial } from './proposalRun';
import { describeUnsaved, type SuspendedReviews } from './suspendedReviews';

/** Model that runs in a process. */
type Trial = ProposalTrial & AsyncDisposable;

/** Prompts for models and starts them. */
interface Trials extends Pick<TrialSession, 'pickModel'> {
  start(version: ModelVersion, signal: AbortSignal): Promise<Trial>;
}

export interface ProposalSessionOptions {
  readonly session: Pick<DataSession, 'stores'>;
  readonly trials: Trials;
  readonly reports: Pick<BulkReports, 'showReport'>;
  readonly suspended: SuspendedReviews;
  /** Returns the panel's current state, for reopening it. */
  readonly panel: () => PanelStart;
  readonly notify: (proposals: Proposals) => void;
  readonly notifySuspended: (suspended: SuspendedReview | undefined) => void;
  /** Shows the tab with the review. */
  readonly showImages: () => void;
  /** Returns the keyboard focus to the panel after a dialog. */
  readonly focus: () => void;
}

/**
 * Runs models that propose labels for a panel's images, and saves the labels that the user accepts.
 * If a panel is closed with unsaved accepted labels, its review can be resumed.
 */
export class ProposalSession extends Disposable {
  private review: ProposalReview | undefined;
  private following = this.register(new DisposableSet());
  private isRunning = false;
  /** Aborts when the panel is closed. */
  private readonly closing = new AbortController();

  constructor(private readonly options: ProposalSessionOptions) {
    super();
    this.register({ dispose: () => this.suspend() });
    this.register({ dispose: () => this.closing.abort(canceled()) });
    this.register(
      options.suspended.onDidChange(() => options.notifySuspended(this.describeSuspended())),
    );
  }

  handlers(): HostHandlers<typeof proposalMessages> {
    return {
      openProposals: () => Promise.resolve({ proposals: this.review?.proposals }),
      decideProposals: ({ run, decisions }) => this.decide(run, decisions),
      saveProposals: ({ run, accepted }) => this.findReview(run)?.save(accepted),
      closeProposals: ({ unsaved }) => this.close(unsaved),
      suspendedReview: () => Promise.resolve({ suspended: this.describeSuspended() }),
      resumeReview: ({ run }) => this.resume(run),
      discardReview: ({ run }) => this.discard(run),
    };
  }

  /** Opens a suspended review in this panel, unless it was already resumed or discarded. */
  resume(run: string): void {
    const review = this.findSuspended();
    if (review?.run !== run) return;
    this.requireIdle();
    this.options.suspended.remove(run);
    this.open(review);
    this.options.showImages();
  }

  /**
   * Prompts for a model, runs it on the unlabeled images in a target, and opens a review of the
   * proposed labels. Throws `conflict` while another run or review is in progress, because a review
   * has unsaved decisions.
   */
  async propose(target: BulkTarget): Promise<void> {
    this.requireIdle();
    if (this.findSuspended()) {
      throw new FleetError(
        'conflict',
        vscode.l10n.t(
          "An earlier review has accepted labels that aren't saved. Resume or discard that review first.",
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

  /** Throws `conflict` while a model is running or labels are being reviewed in this panel. */
  private requireIdle(): void {
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
  }

  private async run(target: BulkTarget): Promise<void> {
    const { trials, session } = this.options;
    const closed = this.closing.signal;
    const title = vscode.l10n.t('Propose Labels for {0}', formatImageCount(getItemCount(target)));
    const organization = requireOneOrganization(
      target,
      vscode.l10n.t(
        'These images belong to several organizations. Narrow the filter to one organization to use its models.',
      ),
    );
    const version = await trials.pickModel(organization, title);
    closed.throwIfAborted();
    const { trialModel, run } = await trackProgress(title, async (stopped, report) => {
      const signal = AbortSignal.any([stopped, closed]);
      await using trial = await trials.start(version, signal);
      const onProgress = (count: number): void => report(formatImageCount(count));
      const options = { stores: session.stores, trial, signal, onProgress };
      return { trialModel: trial.model, run: await ProposalRun.start(target, options) };
    });
    closed.throwIfAborted();
    const { images, items, failed } = run;
    if (images.length + failed.length === 0) throw nothingProposed(run, version);
    const model = formatModelVersion(version);
    if (images.length > 0) {
      const { reports } = this.options;
      const proposals = { run: randomUUID(), model, task: trialModel.task, images };
      this.open(new ProposalReview(proposals, { session, reports, model: trialModel, items }));
    }
    const report = runReport(run, model, target);
    if (!isClean(report)) this.offerReport(report);
  }

  /** Offers the report in a message, because opening it would cover the review. */
  private offerReport(report: BulkReport): void {
    const show = vscode.l10n.t('Show Report');
    void vscode.window.showWarningMessage(formatSummary(report), show).then((chosen) => {
      if (chosen === show) void this.options.reports.showReport(report, {});
    });
  }

  private async close(unsaved: number): Promise<void> {
    const { review } = this;
    if (review?.isSaving) {
      throw new FleetError(
        'conflict',
        vscode.l10n.t(
          "The accepted labels are still being saved. Wait until they're saved, then close the review.",
        ),
      );
    }
    if (unsaved > 0) await this.confirmLoss(unsaved);
    review?.close();
  }

  private async discard(run: string): Promise<void> {
    const review = this.findSuspended();
    if (review?.run !== run) return;
    await this.confirmLoss(review.unsaved);
    this.options.suspended.discard(run);
  }

  private async confirmLoss(unsaved: number): Promise<void> {
    try {
      await confirm(
        vscode.l10n.t('Close the review?'),
        unsaved === 1
          ? vscode.l10n.t('1 accepted label is not saved.')
          : vscode.l10n.t('{0} accepted labels are not saved.', formatNumber(unsaved)),
        vscode.l10n.t('Close Without Saving'),
      );
    } finally {
      this.options.focus();
    }
  }

  private open(review: ProposalReview): void {
    this.review = review;
    this.following = this.register(new DisposableSet());
    this.following.add(review.onDidChange(() => this.show(review)));
    this.show(review);
  }

  private decide(run: string, decisions: ReviewDecisions): void {
    const review = this.findReview(run);
    review?.decide(decisions);
    if (review) this.store(review);
  }

  /** Stores a review immediately, because the window can be reloaded at any time. */
  private store(review: ProposalReview): void {
    const { suspended, panel } = this.options;
    suspended.store(review, panel());
  }

  private show(review: ProposalReview): void {
    this.store(review);
    if (review.isOver) this.takeReview();
    this.options.notify(review.proposals);
  }

  private takeReview(): ProposalReview | undefined {
    const { review } = this;
    this.review = undefined;
    this.release(this.following);
    return review;
  }

  private suspend(): void {
    const review = this.takeReview();
    const { suspended, panel } = this.options;
    if (review && review.unsaved > 0) suspended.add(review, panel());
  }

  private findReview(run: string): ProposalReview | undefined {
    return this.review?.run === run ? this.review : undefined;
  }

  private findSuspended(): ProposalReview | undefined {
    const { suspended, panel } = this.options;
    return suspended.find(panel().target);
  }

  private describeSuspended(): SuspendedReview | undefined {
    const review = this.findSuspended();
    return review && { run: review.run, text: describeUnsaved(review) };
  }
}

function runReport(run: ProposalRun, model: string, target: BulkTarget): BulkReport {
  const { predicted, labeled, failed, notStarted, stopped } = run;
  const details = [
    ...(stopped ? [vscode.l10n.t('The action stopped early: {0}', stopped.message)] : []),
    vscode.l10n.t(
      'Images that already have labels from the model are skipped. A review has at most {0} images.',
      formatNumber(MAX_IMAGES),
    ),
  ];
  return {
    title: vscode.l10n.t('Run {0} on {1}', model, formatImageCount(getItemCount(target))),
    details: details.join('\n'),
    done: predicted,
    unchanged: labeled,
    notStarted: reportedNames(notStarted),
    failed: failed.map(({ item, error }) => ({ name: reportedName(item), reason: error.message })),
    skipped: [],
  };
}

function nothingProposed({ predicted, labeled }: ProposalRun, version: ModelVersion): FleetError {
  const model = formatModelVersion(version);
  return new FleetError(
    'notFound',
    predicted > 0
      ? vscode.l10n.t(
          '{0} found nothing in these images. Select other images or another model.',
          model,
        )
      : labeled > 0
        ? vscode.l10n.t(
            'All of these images already have labels from {0}. Select images without labels, or select another model.',
            model,
          )
        : vscode.l10n.t('There are no images to run {0} on. Refresh the list.', model),
  );
}
