import type { FleetError } from '../../api/errors';
import type { BulkOutcome } from '../../bulk/bulkRun';
import type { BinaryItem } from '../../model/binaryItem';
import { type BulkTarget, countOf } from '../bulkTarget';
import type { ActionResult, ActionStep, FailedItem, Undoable } from './bulkAction';

/** So many items can be taken back; more ids than that are not kept. */
const MOST_UNDOABLE = 200_000;
/** After so many failures of a filter something is wrong that is none of single items. */
const MOST_FAILURES = 1_000;

/** Counts what becomes of the items of an action. */
export class ActionTally {
  private done = 0;
  private unchanged = 0;
  private readonly failed: FailedItem[] = [];
  private undo: Undoable[] | 'forgotten' = [];
  private stopped: FleetError | undefined;
  /** Of single items, those that need nothing more; a filter finds out by itself. */
  private readonly finished = new Set<BinaryItem['id']>();

  constructor(private readonly target: BulkTarget) {}

  /** Items that are through, one way or another. */
  get through(): number {
    return this.done + this.unchanged + this.failed.length;
  }

  get isTooBad(): boolean {
    return this.target.kind === 'filter' && this.failed.length > MOST_FAILURES;
  }

  /** Some items are as wanted already. */
  leave(items: readonly BinaryItem[]): void {
    this.unchanged += items.length;
    this.finish(items.map(({ id }) => id));
  }

  /** @param goneIsFine takes items that are not there any more for as wanted. */
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
    if (this.done > MOST_UNDOABLE) this.undo = 'forgotten';
  }

  stop(error: FleetError): void {
    this.stopped = error;
  }

  result(signal: AbortSignal): ActionResult {
    const { done, unchanged, failed, stopped, undo } = this;
    const ended = signal.aborted || stopped !== undefined;
    const notStarted = ended ? Math.max(0, countOf(this.target) - this.through) : 0;
    return { done, unchanged, failed, notStarted, stopped, undo, rest: this.rest(notStarted) };
  }

  /** A filter is gone through again as a whole: what is done already is as wanted then. */
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
