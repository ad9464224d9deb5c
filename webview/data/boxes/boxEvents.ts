import type { EditedImage } from '../../../src/shared/data/boxes';

/** Passes the host's messages about boxes to the views that show them. */
export class BoxEvents {
  private readonly listeners = new Set<(image: EditedImage) => void>();

  notify(image: EditedImage): void {
    for (const listener of this.listeners) listener(image);
  }

  /**
   * Adds a listener.
   * @returns a function that removes the listener.
   */
  listen(listener: (image: EditedImage) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}
