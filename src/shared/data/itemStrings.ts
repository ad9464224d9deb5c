/** Strings of lists and grids of items. */
export interface ItemStrings {
  readonly loading: string;
  /** {0} is the number of loaded items, {1} the total number. */
  readonly reading: string;
  /** {0} is the reason. */
  readonly failed: string;
  readonly empty: string;
  readonly nothingYet: string;
  /** Accessible labels of the grids and lists. */
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
  };
  readonly tile: {
    readonly waiting: string;
    readonly large: string;
    readonly broken: string;
    /** Shown on an image whose file is truncated. */
    readonly truncated: string;
    readonly gone: string;
    readonly damaged: string;
    readonly failed: string;
    readonly oneTag: string;
    /** {0} is the number of tags. */
    readonly tags: string;
    readonly oneBox: string;
    /** {0} is the number of tags. */
    readonly boxes: string;
  };
  /** Strings of an open item. */
  readonly detail: {
    readonly tools: string;
    readonly back: string;
    readonly backHint: string;
    readonly previous: string;
    readonly previousHint: string;
    readonly next: string;
    readonly nextHint: string;
    /** {0} is the number of the item, {1} the total number of items. */
    readonly position: string;
    readonly openDocument: string;
    readonly openDocumentHint: string;
    readonly download: string;
    readonly downloadHint: string;
    readonly copyId: string;
    readonly copyIdHint: string;
    readonly id: string;
    readonly facts: string;
    readonly factsHint: string;
    readonly copy: string;
    /** {0} is the name of a detail. */
    readonly copyDetail: string;
    /** {0} is the name of the copied detail. */
    readonly copied: string;
    readonly wait: string;
    /** {0} is the loaded size, {1} the total size. */
    readonly reading: string;
    readonly cancel: string;
    readonly canceled: string;
    readonly retry: string;
    readonly damaged: string;
    /** {0} is the size of the content, {1} the maximum size. */
    readonly tooLarge: string;
    readonly emptyFile: string;
    readonly noText: string;
    /** {0} is the name of a file. */
    readonly textLabel: string;
  };
}
