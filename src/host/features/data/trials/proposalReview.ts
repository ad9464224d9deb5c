import * as vscode from 'vscode';
import { Emitter } from '../../../../base/emitter';
import { FleetError } from '../../../../core/api/errors';
import { type BulkOutcome, unfinishedItems } from '../../../../core/bulk/bulkRun';
import { type StoreOutcome, storeLabels } from '../../../../core/data/proposals/storeLabels';
import type { TrialModel } from '../../../../core/model/modelTrial';
import type {
  ProposalIds,
  Proposals,
  ProposedImage,
  ReviewDecisions,
} from '../../../../shared/data/proposals';
import {
  type BulkReport,
  type BulkReports,
  createReport,
} from '../../../platform/commands/bulkReports';
import { working } from '../../../platform/commands/progress';
import { formatImageCount } from '../../../platform/text/trainingText';
import { reportedName } from '../actions/actionMessages';
import type { DataSession } from '../dataSession';
import type { ReviewedItem, ReviewState } from './storedReviews';
import { deletedImage } from './trialMessages';

export interface ProposalReviewOptions {
  readonly session: Pick<DataSession, 'stores'>;
  readonly reports: Pick<BulkReports, 'showReport'>;
  readonly model: Pick<TrialModel, 'task' | 'labels'>;
  /** Images by ID. */
  readonly items: ReadonlyMap<string, ReviewedItem>;
}

/** Image with the labels that the user accepted for it. */
interface Accepted {
  readonly item: ReviewedItem;
  readonly proposals: ProposedImage['proposals'];
}

/**
 * Review of proposed labels and the decisions about them, independent of the panel that shows it.
 */
export class ProposalReview {
  private readonly changedEmitter = new Emitter<void>();
  /** Fires when a save finishes and when the review is closed. */
  readonly onDidChange = this.changedEmitter.event;
  private decisions: ReviewDecisions | undefined;
  private saving = 0;

  constructor(
    private left: Proposals,
    private readonly options: ProposalReviewOptions,
  ) {
    this.decisions = left.decisions;
  }

  /** Opens a stored review. */
  static restore(
    { proposals, model, items }: ReviewState,
    options: Pick<ProposalReviewOptions, 'session' | 'reports'>,
  ): ProposalReview {
    const byId = new Map(items.map((item) => [item.id, item]));
    return new ProposalReview(proposals, { ...options, model, items: byId });
  }

  /** The review's state, for storage. */
  get state(): ReviewState {
    const { proposals } = this;
    const { model, items } = this.options;
    const { task, labels } = model;
    return {
      proposals,
      model: { task, labels },
      items: proposals.images.flatMap(({ id: image }) => {
        const item = items.get(image);
        if (!item) return [];
        const { id, at, fileName, fileExtension, source } = item;
        const { componentName } = source;
        return [{ id, at, fileName, fileExtension, source: { componentName } }];
      }),
    };
  }

  get run(): string {
    return this.left.run;
  }

  /** Proposals that remain to be reviewed, with their decisions. */
  get proposals(): Proposals {
    const { left, decisions } = this;
    return decisions ? { ...left, decisions } : left;
  }

  /** Name and version of the model for display. */
  get modelName(): string {
    return this.left.model;
  }

  get isOver(): boolean {
    return this.left.images.length === 0;
  }

  get isSaving(): boolean {
    return this.saving > 0;
  }

  /** Number of accepted labels that are not saved. */
  get unsaved(): number {
    return this.toAccepted(this.decisions?.accepted ?? []).reduce(
      (sum, { proposals }) => sum + proposals.length,
      0,
    );
  }

  decide(decisions: ReviewDecisions): void {
    this.decisions = decisions;
  }

  /**
   * Saves accepted labels and reports the result. Does nothing while another save is in progress.
   */
  async save(accepted: readonly ProposalIds[]): Promise<void> {
    if (this.saving === 0) await this.store(this.toAccepted(accepted));
  }

  /** Discards the remaining proposals. */
  close(): void {
    this.setImages([]);
  }

  private toAccepted(ids: readonly ProposalIds[]): readonly Accepted[] {
    return ids.flatMap(({ image, proposals }): readonly Accepted[] => {
      const item = this.options.items.get(image);
      const known = this.left.images.find(({ id }) => id === image)?.proposals ?? [];
      const chosen = known.filter(({ id }) => proposals.includes(id));
      return item && chosen.length > 0 ? [{ item, proposals: chosen }] : [];
    });
  }

  private async store(accepted: readonly Accepted[]): Promise<void> {
    const { session, reports, model } = this.options;
    const title = vscode.l10n.t('Save labels for {0}', formatImageCount(accepted.length));
    let unchanged = 0;
    let outcomes: readonly BulkOutcome<Accepted>[] = [];
    this.saving += 1;
    try {
      outcomes = await working(title, accepted, async ({ item, proposals }) => {
        const { binaryData } = session.stores;
        const outcome = await storeLabels(binaryData, item.id, proposals, model);
        if (outcome === 'unchanged') unchanged += 1;
        else if (outcome !== 'stored') throw notStored(outcome);
      });
    } finally {
      this.saving -= 1;
      this.setImages(withoutStored(this.left.images, outcomes));
    }
    const rest = unfinishedItems(outcomes);
    await reports.showReport(savedReport(title, outcomes, unchanged), {
      retry: rest.length > 0 ? () => this.store(rest) : undefined,
    });
  }

  private setImages(images: readonly ProposedImage[]): void {
    this.left = { ...this.left, images };
    this.changedEmitter.fire();
  }
}

/** Removes the saved labels from images. Omits images without remaining labels. */
function withoutStored(
  images: readonly ProposedImage[],
  outcomes: readonly BulkOutcome<Accepted>[],
): readonly ProposedImage[] {
  const stored = new Map(
    outcomes.flatMap(({ item: { item, proposals }, state }) =>
      state === 'done' ? [[item.id as string, new Set(proposals.map(({ id }) => id))]] : [],
    ),
  );
  return images
    .map((image) => ({
      ...image,
      proposals: image.proposals.filter(({ id }) => stored.get(image.id)?.has(id) !== true),
    }))
    .filter(({ proposals }) => proposals.length > 0);
}

function notStored(outcome: Extract<StoreOutcome, 'labeled' | 'deleted'>): FleetError {
  return outcome === 'deleted'
    ? deletedImage()
    : new FleetError(
        'conflict',
        vscode.l10n.t(
          'Another user gave the image a different label, and this model allows only one label per image. Reject the proposal, or remove the other label and save again.',
        ),
      );
}

function savedReport(
  title: string,
  outcomes: readonly BulkOutcome<Accepted>[],
  unchanged: number,
): BulkReport {
  const report = createReport(title, outcomes, ({ item }) => reportedName(item));
  const done = outcomes.filter(({ state }) => state === 'done').length - unchanged;
  return { ...report, done, unchanged };
}
