import { isOneOf, isShape } from '../../src/shared/guards';
import type { ViewStateStore } from '../ui/createViewStateStore';

/** The modes in which a result can be shown. */
export const resultModes = ['table', 'tree', 'chart'] as const;
export type ResultMode = (typeof resultModes)[number];

/** Key under which the page saves the mode in which results are shown. */
const KEPT_AS = 'results';

const isSavedMode = isShape({ mode: isOneOf(...resultModes) });

/** Returns the mode that the user chose last. */
export function getSavedMode(viewStates: ViewStateStore): ResultMode {
  const before = viewStates.get(KEPT_AS);
  return isSavedMode(before) ? before.mode : 'table';
}

export function saveMode(viewStates: ViewStateStore, mode: ResultMode): void {
  viewStates.set(KEPT_AS, { mode });
}
