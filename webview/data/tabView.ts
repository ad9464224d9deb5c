/** What a tab is to show. */
export interface Shown {
  /** Names the application of a filter that the tab's requests belong to. */
  readonly generation: number;
  /** How much there is; undefined while it is counted. */
  readonly count: number | undefined;
  /** Restores the filter of the panel's target; absent when it applies. */
  readonly clearFilter?: (() => void) | undefined;
}

/** The content of a tab. It reads only while it is shown. */
export interface TabView {
  readonly element: HTMLElement;
  /** Shows what a filter selects: called when the tab is opened, at each new filter, and with its count. */
  show(shown: Shown): void;
  /** Another tab is shown: reading stops. False when something unfinished has to be settled first. */
  leave(): Promise<boolean>;
  focus(): void;
  /**
   * Whether a person is in the midst of something that reading again would take away, such as a selection or
   * an open item. A view that does not say is not read again by itself.
   */
  isHeld?(): boolean;
}
