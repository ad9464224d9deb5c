import type { ActionStrings } from './actions';
import type { BoxStrings } from './boxStrings';
import type { CloudStrings } from './cloudStrings';
import type { DropStrings } from './drops';
import type { FilterStrings } from './filterStrings';
import type { FrameStrings } from './frameStrings';
import type { ItemStrings } from './itemStrings';
import type { ProposalStrings } from './proposals';
import type { ReadingStrings } from './readingStrings';
import type { TrialStrings } from './trials';

/** All strings of a data panel, grouped by the parts of the panel. */
export interface DataStrings {
  readonly filter: FilterStrings;
  readonly frame: FrameStrings;
  readonly items: ItemStrings;
  readonly actions: ActionStrings;
  readonly boxes: BoxStrings;
  readonly readings: ReadingStrings;
  readonly clouds: CloudStrings;
  readonly drops: DropStrings;
  readonly trials: TrialStrings;
  readonly proposals: ProposalStrings;
}
