import type { FleetError } from '../../api/errors';
import type { BinaryDataId } from '../../model/ids';
import type { Undoable } from './bulkAction';
import { workInBatches } from './workInBatches';

const AT_ONCE = 1_000;
const CONCURRENT = 2;

export interface UndoResult {
  readonly undone: number;
  /** Items that are gone: nothing is left to take back there. */
  readonly gone: number;
  /** Why others were not undone; the first of the reasons. */
  readonly error: FleetError | undefined;
  /** What a further try would take back. */
  readonly rest: readonly Undoable[];
}

/** Takes back what an action did, the last first. Nothing new is started once the signal aborts. */
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
