import type { FleetError } from '../../api/errors';
import type { BulkOutcome } from '../../bulk/bulkRun';
import type { BinaryItem } from '../../model/binaryItem';
import { type BulkTarget, getItemCount } from '../bulkTarget';
import type { ActionResult, ActionStep, FailedItem, Undoable } from './bulkAction';

/** Maximum number of changed items that can be undone. If there are more, no IDs are stored. */
const MAX_UNDOABLE = 200_000;
/**
 * Number of failed items of a filter after which individual items are no longer the likely cause.
 */
const MAX_FAILURES = 1_000;

/** Counts the outcomes of an action's items. */
export class ActionTally {
  private done = 0;
  private unchanged = 0;
  private readonly failed: FailedItem[] = [];
  private undo: Undoable[] | 'forgotten' = [];
  private stopped: FleetError | undefined;
  /** IDs of finished items if the target is a list of items. A filter doesn't need them. */
  private readonly finished = new Set<BinaryItem['id']>();

  constructor(private readonly target: BulkTarget) {}

  /** Number of processed items, regardless of the outcome. */
  get through(): number {
    return this.done + this.unchanged + this.failed.length;
  }

  get isTooBad(): boolean {
    return this.target.kind === 'filter' && this.failed.length > MAX_FAILURES;
  }

  /** Counts items that need no change. */
  leave(items: readonly BinaryItem[]): void {
    this.unchanged += items.length;
    this.finish(items.map(({ id }) => id));
  }

  /** @param goneIsFine true if deleted items count as unchanged. */
  fail(failed: readonly FailedItem[], goneIsFine: boolean): void {
    const isGone = ({ error }: FailedItem): boolean => goneIsFine && error.kind === 'notFound';
    this.leave(failed.filter(isGone).map(({ item }) => item));
    for (const one of failed) if (!isGone(one)) this.failed.push(one);
  }

  add(
    { undo }: ActionStep,
    outcomes: readonly BulkOutcome<BinaryItem>[],
    goneIsFine = false,
  ): void {
    const done = outcomes.filter(({ state }) => state === 'done').map(({ item }) => item.id);
    this.done += done.length;
    this.finish(done);
    const failed = outcomes.filter((outcome) => outcome.state === 'failed');
    this.fail(failed, goneIsFine);
    if (undo && done.length > 0 && this.undo !== 'forgotten') this.undo.push({ ids: done, undo });
    if (this.done > MAX_UNDOABLE) this.undo = 'forgotten';
  }

  stop(error: FleetError): void {
    this.stopped = error;
  }

  result(signal: AbortSignal): ActionResult {
    const { done, unchanged, failed, stopped, undo } = this;
    const ended = signal.aborted || stopped !== undefined;
    const notStarted = ended ? Math.max(0, getItemCount(this.target) - this.through) : 0;
    return { done, unchanged, failed, notStarted, stopped, undo, rest: this.rest(notStarted) };
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
