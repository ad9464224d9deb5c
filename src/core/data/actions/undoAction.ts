import type { FleetError } from '../../api/errors';
import type { BinaryDataId } from '../../model/ids';
import type { Undoable } from './bulkAction';
import { workInBatches } from './workInBatches';

const AT_ONCE = 1_000;
const CONCURRENT = 2;

export interface UndoResult {
  readonly undone: number;
  /** Number of deleted items, for which there was nothing to undo. */
  readonly gone: number;
  /** First error of the items that couldn't be undone, except deleted items. */
  readonly error: FleetError | undefined;
  /** Steps for a retry to undo. */
  readonly rest: readonly Undoable[];
}

/** Undoes an action, starting with the last step. Starts no new work after the signal aborts. */
export async function undoAction(
  done: readonly Undoable[],
  signal: AbortSignal,
  onProgress?: (through: number) => void,
): Promise<UndoResult> {
  const rest: Undoable[] = [];
  let [undone, gone, through] = [0, 0, 0];
  let error: FleetError | undefined;
  for (const { ids, undo } of [...done].reverse()) {
    const outcomes = await workInBatches(ids, undo, {
      ...{ size: AT_ONCE, limit: CONCURRENT, signal },
      onProgress: (more) => onProgress?.(through + more),
    });
    through += ids.length;
    const left: BinaryDataId[] = [];
    for (const outcome of outcomes) {
      if (outcome.state === 'done') undone += 1;
      else if (outcome.state === 'failed' && outcome.error.kind === 'notFound') gone += 1;
      else {
        left.push(outcome.item);
        if (outcome.state === 'failed') error ??= outcome.error;
      }
    }
    if (left.length > 0) rest.unshift({ ids: left, undo });
  }
  return { undone, gone, error, rest };
}
