import type { RecoveryActionLabels } from '../recoveryAction';
import type { DataTab } from './dataTabs';

/** Strings of a data panel's frame: its tabs and states. */
export interface FrameStrings {
  /** Label of the tab bar. */
  readonly tabs: string;
  readonly tabNames: Readonly<Record<DataTab, string>>;
  readonly refresh: string;
  /** On an empty list that a filter has emptied. */
  readonly clearFilter: string;
  /** Shown if a change in this window can affect the matches. */
  readonly changed: string;
  readonly counting: string;
  /** {0} is the reason. */
  readonly notCounted: string;
  readonly ways: RecoveryActionLabels;
}
