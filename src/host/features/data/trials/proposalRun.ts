import { canceled, type FleetError, isCanceled, toFleetError } from '../../../../core/api/errors';
import {
  type BulkTarget,
  type FailedItem,
  findNotStarted,
  type NotStartedItems,
} from '../../../../core/data/actions/bulkAction';
import { readTargetPages } from '../../../../core/data/actions/targetPages';
import { isUnlabeled } from '../../../../core/data/proposals/storeLabels';
import type { BinaryItem } from '../../../../core/model/binaryItem';
import type { FleetStores } from '../../../../core/stores/fleetStores';
import type { ProposedImage } from '../../../../shared/data/proposals';
import { itemName } from '../items/itemViews';
import { toImageError } from './trialMessages';
import type { TrialProcess } from './trialProcess';
import { readImage } from './trialSession';

/** Maximum number of images in a review. */
export const MAX_IMAGES = 200;
/** Minimum confidence of displayed proposals. */
const MIN_CONFIDENCE = 0.05;
const MAX_PROPOSALS = 20;

/** Model that runs in a process. */
export type ProposalTrial = Pick<TrialProcess, 'predict' | 'hasExited' | 'model'>;

interface ProposalRunOptions {
  readonly stores: Pick<FleetStores, 'binaryData'>;
  readonly trial: ProposalTrial;
  readonly signal: AbortSignal;
  /** Called with the number of finished unlabeled images. */
  readonly onProgress: (count: number) => void;
}

/** Model run on the unlabeled images in a target. */
export class ProposalRun {
  /** Images for which the model proposes labels. */
  readonly images: ProposedImage[] = [];
  /** Binary items for the images, by ID. */
  readonly items = new Map<string, BinaryItem>();
  readonly failed: FailedItem[] = [];
  /** Number of unlabeled images that the model was run on. */
  predicted = 0;
  /** Number of images that already have labels from this model. */
  labeled = 0;
  /** Images that exceeded the limit or weren't processed before the run stopped. */
  notStarted: NotStartedItems = 0;
  /** Error that stopped the run early. */
  stopped: FleetError | undefined;
  /** Number of finished unlabeled images: predicted or failed. */
  private finished = 0;
  /** IDs of the images with an outcome. */
  private readonly processed = new Set<BinaryItem['id']>();

  private constructor(private readonly options: ProposalRunOptions) {}

  /**
   * Runs a model until all images are finished, the limit is reached, the process exits, or the
   * signal aborts. Throws `FleetError` if the run ends without results: `canceled` if the signal
   * has aborted.
   */
  static async start(target: BulkTarget, options: ProposalRunOptions): Promise<ProposalRun> {
    const run = new ProposalRun(options);
    const { signal } = options;
    const isComplete = await run.predictAll(target);
    if (signal.aborted && run.images.length === 0) throw canceled();
    const { processed: ids } = run;
    if (!isComplete) run.notStarted = findNotStarted(target, { ids, count: ids.size });
    return run;
  }

  /** @returns false if some images were not processed */
  private async predictAll(target: BulkTarget): Promise<boolean> {
    const { signal, stores } = this.options;
    try {
      for await (const page of readTargetPages(stores.binaryData, target, true, signal)) {
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

  /** Throws errors that end the whole run. */
  private async predictOne(item: BinaryItem): Promise<void> {
    const { stores, trial, signal, onProgress } = this.options;
    if (!isUnlabeled(item, trial.model)) {
      this.labeled += 1;
      this.processed.add(item.id);
      return;
    }
    try {
      const predictions = await trial.predict(await readImage(stores, item, signal));
      const proposals = predictions
        .filter(({ confidence }) => confidence >= MIN_CONFIDENCE)
        .slice(0, trial.model.task === 'singleLabelClassification' ? 1 : MAX_PROPOSALS)
        .map((prediction, id) => ({ ...prediction, id }));
      this.predicted += 1;
      this.processed.add(item.id);
      const { id, sizeBytes } = item;
      if (proposals.length > 0) {
        this.images.push({ id, name: itemName(item), sizeBytes, proposals });
        this.items.set(id, item);
      }
    } catch (error) {
      if (signal.aborted || isCanceled(error)) return;
      this.fail(item, error);
      // Without the process, no further images can be predicted.
      if (trial.hasExited) throw error;
    }
    this.finished += 1;
    onProgress(this.finished);
  }

  private fail(item: BinaryItem, error: unknown): void {
    this.failed.push({ item, error: toImageError(error) });
    this.processed.add(item.id);
  }
}
