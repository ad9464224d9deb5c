import { isOneOf, isShape } from '../../src/shared/guards';
import type { KeptViews } from '../ui/keptViews';

/** How a result is shown. */
export const resultModes = ['table', 'tree', 'chart'] as const;
export type ResultMode = (typeof resultModes)[number];

/** Under this name the page keeps how results are shown. */
const KEPT_AS = 'results';

const isKept = isShape({ mode: isOneOf(...resultModes) });

/** How results were shown last. */
export function keptMode(kept: KeptViews): ResultMode {
  const before = kept.get(KEPT_AS);
  return isKept(before) ? before.mode : 'table';
}

export function keepMode(kept: KeptViews, mode: ResultMode): void {
  kept.set(KEPT_AS, { mode });
}
