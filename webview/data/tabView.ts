import type { DataFilter } from '../../src/shared/data/dataFilter';

/** Information about the content that a tab must show. */
export interface Shown {
  /** Generation of the applied filter, to which the tab's requests refer. */
  readonly generation: number;
  /** Number of items; undefined during counting. */
  readonly count: number | undefined;
  /** The applied filter; absent until a filter is applied. */
  readonly filter?: DataFilter;
  /** Resets the filter to that of the panel's target; absent if that filter already applies. */
  readonly clearFilter?: (() => void) | undefined;
}

/** The content of a tab. Loads data only while it is visible. */
export interface TabView {
  readonly element: HTMLElement;
  /**
   * Shows the data that matches a filter. Called when the tab is opened, for each new filter, and
   * when the item count is known.
   */
  show(shown: Shown): void;
  /**
   * Called when another tab is selected: stops loading. Resolves to false if the user must finish
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
