import type { EditedImage } from '../../../src/shared/data/boxes';

/** Hands on what the host says of boxes to anyone who shows them. */
export class BoxNews {
  private readonly listeners = new Set<(image: EditedImage) => void>();

  tell(image: EditedImage): void {
    for (const listener of this.listeners) listener(image);
  }

  /** @returns what ends it. */
  listen(listener: (image: EditedImage) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}
