/** How much of a content has come. */
export interface ContentProgress {
  readonly id: string;
  readonly bytes: number;
}

type Stop = () => void;

/** Passes on what the host says of items to anyone who shows them. */
export class ItemNews {
  private readonly stale = new Set<(generation: number) => void>();
  private readonly contents = new Set<(progress: ContentProgress) => void>();

  /** Hears that items of a generation look different. @returns what ends it. */
  listen(listener: (generation: number) => void): Stop {
    this.stale.add(listener);
    return () => this.stale.delete(listener);
  }

  /** Hears how far reading a content has come. @returns what ends it. */
  listenToContents(listener: (progress: ContentProgress) => void): Stop {
    this.contents.add(listener);
    return () => this.contents.delete(listener);
  }

  tellStale(generation: number): void {
    for (const listener of this.stale) listener(generation);
  }

  tellRead(progress: ContentProgress): void {
    for (const listener of this.contents) listener(progress);
  }
}
