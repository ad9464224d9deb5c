import { englishLocalizer, type Localizer } from '../../../base/localizer';
import { FleetError, isCanceled, toFleetError } from '../../api/errors';
import type { BinaryItem } from '../../model/binaryItem';
import type { BinaryDataStore } from '../../stores/binaryDataStore';
import {
  type ActionResult,
  type ActionStep,
  type BulkAction,
  type BulkTarget,
  type FailedItem,
  findNotStarted,
  type Undoable,
} from './bulkAction';
import { readTargetPages } from './targetPages';
import { type BulkOutcome, workInBatches } from '../../bulk/bulkRun';
import type { BinaryDataId } from '../../model/ids';

/**
 * Number of items per call. A call changes all or none of its items and finishes well within its
 * deadline.
 */
const CHANGED_AT_ONCE = 1_000;
const CONCURRENT_CHANGES = 2;
/**
 * Maximum number of filter matches to change in one call. A call of this size finishes well within
 * its deadline.
 */
const MAX_ITEMS_PER_CALL = 10_000;

export interface ActionOptions {
  /** When the signal aborts, no new work is started, and running work is awaited. */
  readonly signal: AbortSignal;
  /** Called with the number of processed items. */
  readonly onProgress?: (processedCount: number) => void;
  /** Translates error messages. */
  readonly l10n?: Localizer;
}

/**
 * Runs an action on many items, page by page, and continues if individual items fail. Records
 * undoable changes per item, so that an undo doesn't revert earlier changes.
 * @throws FleetError when the first items can't be read.
 */
export async function runAction(
  store: BinaryDataStore,
  action: BulkAction,
  target: BulkTarget,
  { signal, onProgress, l10n = englishLocalizer }: ActionOptions,
): Promise<ActionResult> {
  const tally = new ActionTally(target);
  const reportProgress = (more = 0): void => onProgress?.(tally.processedCount + more);
  try {
    if (hasOneCall(action, target)) {
      const items: BinaryItem[] = [];
      for await (const page of readTargetPages(store, target, false, signal)) {
        items.push(...page.items);
      }
      const isDone = !signal.aborted && (await inOneCall(action, target, items, tally));
      if (!isDone) await workOn(items, action, tally, signal, reportProgress);
      return tally.result(signal);
    }
    for await (const { items, failed } of readTargetPages(
      store,
      target,
      action.isSelective,
      signal,
      l10n,
    )) {
      tally.fail(failed, action.isDoneIfDeleted);
      await workOn(items, action, tally, signal, reportProgress);
      reportProgress();
      if (tally.hasTooManyFailures) {
        throw new FleetError(
          'internal',
          l10n.t(
            'Too many items have failed. View the errors, and try again with the remaining items.',
          ),
        );
      }
    }
  } catch (error) {
    if (!isCanceled(error)) {
      if (tally.processedCount === 0) throw error;
      tally.stop(toFleetError(error));
    }
  }
  return tally.result(signal);
}

async function workOn(
  items: readonly BinaryItem[],
  action: BulkAction,
  tally: ActionTally,
  signal: AbortSignal,
  onProgress: (more: number) => void,
): Promise<void> {
  const steps = action.steps(items);
  tally.leave(untouched(items, steps));
  for (const step of steps) {
    const outcomes = await workInBatches(step.items, createBatchRunner(step), {
      size: CHANGED_AT_ONCE,
      limit: CONCURRENT_CHANGES,
      signal,
      onProgress,
    });
    tally.add(step, outcomes, action.isDoneIfDeleted);
  }
}

/**
 * Returns true if one call can change the whole target, because the action supports filters and the
 * target is small enough.
 */
function hasOneCall(action: BulkAction, target: BulkTarget): boolean {
  const isFilter = target.kind === 'filter' && target.placement === undefined;
  return isFilter && action.runOnFilter !== undefined && target.count <= MAX_ITEMS_PER_CALL;
}

/**
 * Changes everything that matches a filter in one call.
 * @param items the matches.
 * @returns true if the call succeeded. Otherwise, processing the items individually reveals the
 *   reason.
 */
async function inOneCall(
  action: BulkAction,
  target: BulkTarget,
  items: readonly BinaryItem[],
  tally: ActionTally,
): Promise<boolean> {
  if (target.kind !== 'filter' || items.length === 0) return false;
  const { filter } = target;
  // The filter must specify organizations. Otherwise, it would include all of the key's
  // organizations, and services would reject the deletion.
  const named = filter.organizationIds;
  const present = items.map(({ source }) => source.organizationId);
  const organizationIds = named.length > 0 ? named : [...new Set(present)];
  try {
    await action.runOnFilter?.({ ...filter, organizationIds }, items.length);
  } catch {
    return false;
  }
  const steps = action.steps(items);
  tally.leave(untouched(items, steps));
  for (const step of steps) {
    const outcomes = step.items.map((item) => ({ item, state: 'done' }) as const);
    tally.add(step, outcomes);
  }
  return true;
}

function untouched(
  items: readonly BinaryItem[],
  steps: readonly ActionStep[],
): readonly BinaryItem[] {
  const touched = new Set(steps.flatMap((step) => step.items));
  return items.filter((item) => !touched.has(item));
}

function createBatchRunner({
  run,
}: ActionStep): (batch: readonly BinaryItem[]) => Promise<unknown> {
  return (batch) => run(batch.map(({ id }) => id));
}

/** Maximum number of changed items that can be undone. If there are more, no IDs are stored. */
const MAX_UNDOABLE = 200_000;
/** Number of failures for a filter after which individual items are no longer the likely cause. */
const MAX_FAILURES = 1_000;

/** Counts the outcomes for an action's items. */
class ActionTally {
  private done = 0;
  private unchanged = 0;
  private readonly failed: FailedItem[] = [];
  private undo: Undoable[] | 'discarded' = [];
  private stopped: FleetError | undefined;
  /** IDs of finished items if the target is a list of items. A filter doesn't need them. */
  private readonly finished = new Set<BinaryItem['id']>();

  constructor(private readonly target: BulkTarget) {}

  /** Number of processed items, regardless of the outcome. */
  get processedCount(): number {
    return this.done + this.unchanged + this.failed.length;
  }

  get hasTooManyFailures(): boolean {
    return this.target.kind === 'filter' && this.failed.length > MAX_FAILURES;
  }

  /** Counts items that need no change. */
  leave(items: readonly BinaryItem[]): void {
    this.unchanged += items.length;
    this.finish(items.map(({ id }) => id));
  }

  /** @param acceptsDeleted true if deleted items count as unchanged. */
  fail(failed: readonly FailedItem[], acceptsDeleted: boolean): void {
    const isGone = ({ error }: FailedItem): boolean => acceptsDeleted && error.kind === 'notFound';
    this.leave(failed.filter(isGone).map(({ item }) => item));
    for (const one of failed) if (!isGone(one)) this.failed.push(one);
  }

  add(
    { undo }: ActionStep,
    outcomes: readonly BulkOutcome<BinaryItem>[],
    acceptsDeleted = false,
  ): void {
    const done = outcomes.filter(({ state }) => state === 'done').map(({ item }) => item.id);
    this.done += done.length;
    this.finish(done);
    const failed = outcomes.filter((outcome) => outcome.state === 'failed');
    this.fail(failed, acceptsDeleted);
    if (undo && done.length > 0 && this.undo !== 'discarded') this.undo.push({ ids: done, undo });
    if (this.done > MAX_UNDOABLE) this.undo = 'discarded';
  }

  stop(error: FleetError): void {
    this.stopped = error;
  }

  result(signal: AbortSignal): ActionResult {
    const { done, unchanged, failed, stopped, undo } = this;
    const ended = signal.aborted || stopped !== undefined;
    const ids = new Set([...this.finished, ...failed.map(({ item }) => item.id)]);
    const processed = { ids, count: this.processedCount };
    const notStarted = ended ? findNotStarted(this.target, processed) : 0;
    const left = typeof notStarted === 'number' ? notStarted : notStarted.length;
    return { done, unchanged, failed, notStarted, stopped, undo, rest: this.rest(left) };
  }

  /**
   * Returns the target of a retry. A filter is processed again as a whole. Finished items then
   * count as unchanged.
   */
  private rest(notStarted: number): BulkTarget | undefined {
    const { target, failed, finished } = this;
    if (failed.length + notStarted === 0) return undefined;
    if (target.kind === 'items') {
      return { kind: 'items', items: target.items.filter(({ id }) => !finished.has(id)) };
    }
    return notStarted > 0 ? target : { kind: 'items', items: failed.map(({ item }) => item) };
  }

  private finish(ids: readonly BinaryItem['id'][]): void {
    if (this.target.kind !== 'items') return;
    for (const id of ids) this.finished.add(id);
  }
}

const AT_ONCE = 1_000;
const CONCURRENT = 2;

export interface UndoResult {
  readonly undone: number;
  /** Number of items that have been deleted, so that there was nothing to undo. */
  readonly gone: number;
  /** Items that couldn't be undone, except deleted items. */
  readonly failed: readonly { readonly id: BinaryDataId; readonly error: FleetError }[];
  /** Items that were not started when the undo was canceled. */
  readonly notStarted: readonly BinaryDataId[];
  /** Steps that a retry must undo. */
  readonly rest: readonly Undoable[];
}

/** Undoes an action, starting with the last step. Starts no new work after the signal aborts. */
export async function undoAction(
  done: readonly Undoable[],
  signal: AbortSignal,
  onProgress?: (processedCount: number) => void,
): Promise<UndoResult> {
  const rest: Undoable[] = [];
  const failed: UndoResult['failed'][number][] = [];
  const notStarted: BinaryDataId[] = [];
  let [undone, gone, processedCount] = [0, 0, 0];
  for (const { ids, undo } of [...done].reverse()) {
    const outcomes = await workInBatches(ids, undo, {
      size: AT_ONCE,
      limit: CONCURRENT,
      signal,
      onProgress: (more) => onProgress?.(processedCount + more),
    });
    processedCount += ids.length;
    const left: BinaryDataId[] = [];
    for (const outcome of outcomes) {
      if (outcome.state === 'done') {
        undone += 1;
      } else if (outcome.state === 'failed' && outcome.error.kind === 'notFound') {
        gone += 1;
      } else {
        left.push(outcome.item);
        if (outcome.state === 'failed') failed.push({ id: outcome.item, error: outcome.error });
        else notStarted.push(outcome.item);
      }
    }
    if (left.length > 0) rest.unshift({ ids: left, undo });
  }
  return { undone, gone, failed, notStarted, rest };
}
