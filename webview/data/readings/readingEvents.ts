import type { ReadingListingRef, ReadingProgress } from '../../../src/shared/data/readings';

type Listener = (read: ReadingListingRef & ReadingProgress) => void;

/** Notifies views that more of a listing has been loaded. */
export class ReadingEvents {
  private readonly listeners = new Set<Listener>();

  listen(listener: Listener): void {
    this.listeners.add(listener);
  }

  notify(read: ReadingListingRef & ReadingProgress): void {
    for (const listener of this.listeners) listener(read);
  }
}
