/** Number of bytes received of an item's content. */
export interface ContentProgress {
  readonly id: string;
  readonly bytes: number;
}

type Stop = () => void;

/** Passes the host's messages about items to the views that show them. */
export class ItemEvents {
  private readonly stale = new Set<(generation: number) => void>();
  private readonly contents = new Set<(progress: ContentProgress) => void>();

  /**
   * Registers a listener for changes to a generation's items.
   * @returns a function that removes the listener.
   */
  listen(listener: (generation: number) => void): Stop {
    this.stale.add(listener);
    return () => this.stale.delete(listener);
  }

  /**
   * Registers a listener for the loading progress of content.
   * @returns a function that removes the listener.
   */
  listenToContents(listener: (progress: ContentProgress) => void): Stop {
    this.contents.add(listener);
    return () => this.contents.delete(listener);
  }

  notifyStale(generation: number): void {
    for (const listener of this.stale) listener(generation);
  }

  notifyProgress(progress: ContentProgress): void {
    for (const listener of this.contents) listener(progress);
  }
}
