import { type ReadingOrder, readingOrders } from '../../../src/shared/data/readings';
import {
  isBoolean,
  isListOf,
  isOneOf,
  isOptional,
  isShape,
  isString,
} from '../../../src/shared/guards';
import type { KeptViews } from '../../ui/keptViews';

/** The user's preferences for showing readings, kept over a reload of the window. */
export interface ReadingsLook {
  readonly order?: ReadingOrder | undefined;
  readonly utc?: boolean | undefined;
  /** Names of the hidden columns. */
  readonly hidden?: readonly string[] | undefined;
}

const isLook = isShape<ReadingsLook>({
  order: isOptional(isOneOf(...readingOrders)),
  utc: isOptional(isBoolean),
  hidden: isOptional(isListOf(isString)),
});

const PART = 'readings';

export function readingsLook(kept: KeptViews): ReadingsLook {
  const look = kept.get(PART);
  return isLook(look) ? look : {};
}

export function keepReadingsLook(kept: KeptViews, change: ReadingsLook): void {
  kept.set(PART, { ...readingsLook(kept), ...change });
}
