/** What lists and grids of items say. */
export interface ItemStrings {
  readonly loading: string;
  /** {0} is how many have been read, {1} how many there are. */
  readonly reading: string;
  /** {0} is the reason. */
  readonly failed: string;
  readonly retry: string;
  readonly empty: string;
  readonly emptyHint: string;
  /** Names the grid or list. */
  readonly lists: {
    readonly images: string;
    readonly pointClouds: string;
    readonly files: string;
  };
  readonly columns: {
    readonly name: string;
    readonly time: string;
    readonly origin: string;
    readonly size: string;
    readonly tags: string;
    readonly datasets: string;
  };
  readonly tools: {
    readonly label: string;
    readonly size: string;
    readonly sizes: { readonly small: string; readonly medium: string; readonly large: string };
    readonly boxes: string;
    readonly boxesHint: string;
    readonly selectAll: string;
    readonly selectNothing: string;
  };
  readonly tile: {
    readonly waiting: string;
    readonly large: string;
    readonly broken: string;
    readonly gone: string;
    readonly failed: string;
    readonly oneTag: string;
    /** {0} is a number. */
    readonly tags: string;
    readonly oneBox: string;
    /** {0} is a number. */
    readonly boxes: string;
  };
  readonly selectedOne: string;
  /** {0} is a number. */
  readonly selected: string;
  readonly selectedNone: string;
}
