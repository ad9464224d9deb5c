import { type ReadingOrder, readingOrders } from '../../../src/shared/data/readings';
import {
  isBoolean,
  isListOf,
  isOneOf,
  isOptional,
  isShape,
  isString,
} from '../../../src/shared/guards';
import type { ViewStateStore } from '../../ui/createViewStateStore';

/** The user's view preferences for readings, which persist when the window is reloaded. */
export interface ReadingsViewState {
  readonly order?: ReadingOrder | undefined;
  readonly utc?: boolean | undefined;
  /** Names of the hidden columns. */
  readonly hidden?: readonly string[] | undefined;
}

const isViewState = isShape<ReadingsViewState>({
  order: isOptional(isOneOf(...readingOrders)),
  utc: isOptional(isBoolean),
  hidden: isOptional(isListOf(isString)),
});

const PART = 'readings';

export function getReadingsViewState(viewStates: ViewStateStore): ReadingsViewState {
  const saved = viewStates.get(PART);
  return isViewState(saved) ? saved : {};
}

export function saveReadingsViewState(viewStates: ViewStateStore, change: ReadingsViewState): void {
  viewStates.set(PART, { ...getReadingsViewState(viewStates), ...change });
}
