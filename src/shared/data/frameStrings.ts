import type { WayOutWords } from '../wayOut';
import type { DataTab } from './dataTabs';

/** What the frame of a data panel says: its tabs and states. */
export interface FrameStrings {
  /** Names the row of tabs. */
  readonly tabs: string;
  readonly tabNames: Readonly<Record<DataTab, string>>;
  readonly refresh: string;
  /** On an empty list that a filter has emptied. */
  readonly clearFilter: string;
  /** What was changed in this window may have altered what matches. */
  readonly changed: string;
  readonly counting: string;
  /** {0} is the reason. */
  readonly notCounted: string;
  readonly ways: WayOutWords;
}
