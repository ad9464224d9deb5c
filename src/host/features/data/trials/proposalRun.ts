import { canceled, type FleetError, isCanceled, toFleetError } from '../../../../core/api/errors';
import type { FailedItem } from '../../../../core/data/actions/bulkAction';
import { pagesOf } from '../../../../core/data/actions/targetPages';
import { type BulkTarget, countOf } from '../../../../core/data/bulkTarget';
import { isUnlabeled } from '../../../../core/data/proposals/storeLabels';
import type { BinaryItem } from '../../../../core/model/binaryItem';
import type { FleetStores } from '../../../../core/stores/fleetStores';
import type { ProposedImage } from '../../../../shared/data/proposals';
import { itemName } from '../items/itemViews';
import { toImageError } from './toImageError';
import type { TrialProcess } from './trialProcess';
import { readImage } from './trialSession';

/** More images than a person reviews at once. */
export const MAX_IMAGES = 200;
/** Proposals below this confidence are never shown. */
const MIN_CONFIDENCE = 0.05;
const MAX_PROPOSALS = 20;

/** A model that runs in a process. */
export type ProposalTrial = Pick<TrialProcess, 'predict' | 'hasExited' | 'model'>;

interface ProposalRunOptions {
  readonly stores: Pick<FleetStores, 'binaryData'>;
  readonly trial: ProposalTrial;
  readonly signal: AbortSignal;
  /** Receives the number of unlabeled images that are finished. */
  readonly onProgress: (count: number) => void;
}

/** A run of a model on the unlabeled images of a target. */
export class ProposalRun {
  /** Images for which the model proposes labels. */
  readonly images: ProposedImage[] = [];
  /** The same images, by their IDs. */
  readonly items = new Map<string, BinaryItem>();
  readonly failed: FailedItem[] = [];
  /** Unlabeled images on which the model was run. */
  predicted = 0;
  /** Images that have labels of the model already. */
  labeled = 0;
  /** Images beyond the limit, or those that were left when the run stopped. */
  notStarted = 0;
  /** The error that stopped the run before its end. */
  stopped: FleetError | undefined;
  /** Unlabeled images that are finished: predicted or failed. */
  private finished = 0;

  private constructor(private readonly options: ProposalRunOptions) {}

  /**
   * Runs a model until all images are finished, the limit is reached, the process exits or the signal aborts.
   * Throws `FleetError` when there is nothing to show until then; `canceled` after the signal has aborted.
   */
  static async start(target: BulkTarget, options: ProposalRunOptions): Promise<ProposalRun> {
    const run = new ProposalRun(options);
    const { signal } = options;
    const isComplete = await run.predictAll(target);
    if (signal.aborted && run.images.length === 0) throw canceled();
    const processed = run.predicted + run.failed.length + run.labeled;
    run.notStarted = isComplete ? 0 : Math.max(0, countOf(target) - processed);
    return run;
  }

  /** @returns false when images are left */
  private async predictAll(target: BulkTarget): Promise<boolean> {
    const { signal, stores } = this.options;
    try {
      for await (const page of pagesOf(stores.binaryData, target, true, signal)) {
        for (const { item, error } of page.failed) this.fail(item, error);
        for (const item of page.items) {
          if (signal.aborted || this.finished === MAX_IMAGES) return false;
          await this.predictOne(item);
        }
        if (this.finished === MAX_IMAGES) return false;
      }
      return !signal.aborted;
    } catch (error) {
      if (signal.aborted) return false;
      if (this.predicted === 0) throw error;
      this.stopped = toFleetError(error);
      return false;
    }
  }

  /** Throws what ends the run as a whole. */
  private async predictOne(item: BinaryItem): Promise<void> {
    const { stores, trial, signal, onProgress } = this.options;
    if (!isUnlabeled(item, trial.model)) {
      this.labeled += 1;
      return;
    }
    try {
      const predictions = await trial.predict(await readImage(stores, item, signal));
      const proposals = predictions
        .filter(({ confidence }) => confidence >= MIN_CONFIDENCE)
        .slice(0, trial.model.task === 'singleLabelClassification' ? 1 : MAX_PROPOSALS)
        .map((prediction, id) => ({ ...prediction, id }));
      this.predicted += 1;
      const { id, sizeBytes } = item;
      if (proposals.length > 0) {
        this.images.push({ id, name: itemName(item), sizeBytes, proposals });
        this.items.set(id, item);
      }
    } catch (error) {
      if (signal.aborted || isCanceled(error)) return;
      this.fail(item, error);
      // Without the process, no further image can be predicted.
      if (trial.hasExited) throw error;
    }
    this.finished += 1;
    onProgress(this.finished);
  }

  private fail(item: BinaryItem, error: unknown): void {
    this.failed.push({ item, error: toImageError(error) });
  }
}
