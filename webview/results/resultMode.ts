import { isOneOf, isShape } from '../../src/shared/guards';
import type { KeptViews } from '../ui/keptViews';

/** Views of a result. */
export const resultModes = ['table', 'tree', 'chart'] as const;
export type ResultMode = (typeof resultModes)[number];

/** Key under which the page saves the view of results. */
const KEPT_AS = 'results';

const isKept = isShape({ mode: isOneOf(...resultModes) });

/** Returns the view that the user chose last. */
export function keptMode(kept: KeptViews): ResultMode {
  const before = kept.get(KEPT_AS);
  return isKept(before) ? before.mode : 'table';
}

export function keepMode(kept: KeptViews, mode: ResultMode): void {
  kept.set(KEPT_AS, { mode });
}
