import type { DisposableLike } from '../../../base/disposable';

/** Repetitions of uploads that are on their way: a key that is pressed twice is one wish. */
export class UploadsUnderWay {
  private readonly manifests = new Set<string>();

  /** @param manifest the address of it */
  has(manifest: string): boolean {
    return this.manifests.has(manifest);
  }

  /** @returns what ends it; undefined while there is one of this manifest */
  begin(manifest: string): DisposableLike | undefined {
    if (this.manifests.has(manifest)) return undefined;
    this.manifests.add(manifest);
    return { dispose: () => void this.manifests.delete(manifest) };
  }
}
