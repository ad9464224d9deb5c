import type { RecoveryActionLabels } from '../recoveryAction';
import type { DataTab } from './dataTabs';

/** Strings of a data panel's frame: its tabs and states. */
export interface FrameStrings {
  /** Label of the tab bar. */
  readonly tabs: string;
  readonly tabNames: Readonly<Record<DataTab, string>>;
  readonly refresh: string;
  /** Shown if the list is empty because of the filter. */
  readonly clearFilter: string;
  /** Shown if a change made in this window can affect the filter's matches. */
  readonly changed: string;
  readonly counting: string;
  /** {0} is the reason. */
  readonly notCounted: string;
  readonly ways: RecoveryActionLabels;
}
