import type { DataFilter } from '../../src/shared/data/dataFilter';

/** Content that a tab must show. */
export interface Shown {
  /** Identifies the applied filter to which the tab's requests belong. */
  readonly generation: number;
  /** Number of items; undefined while it is being counted. */
  readonly count: number | undefined;
  /** The applied filter; absent before the first one applies. */
  readonly filter?: DataFilter;
  /** Restores the filter of the panel's target; absent when it applies. */
  readonly clearFilter?: (() => void) | undefined;
}

/** The content of a tab. Loads data only while it is visible. */
export interface TabView {
  readonly element: HTMLElement;
  /**
   * Shows what matches a filter: called when the tab is opened, for each new filter, and with its
   * count.
   */
  show(shown: Shown): void;
  /**
   * Called when another tab is selected: loading stops. Resolves to false if the user must finish
   * something first.
   */
  leave(): Promise<boolean>;
  focus(): void;
  /**
   * Returns true if a refresh would disturb the user, for example by losing a selection or an open
   * item. A view without this method isn't refreshed automatically.
   */
  hasActiveItems?(): boolean;
}
