import type { DisposableLike } from '../../../base/disposable';

/** Uploads that are on their way, not to be repeated in the meantime: a key that is pressed twice is one wish. */
export class UploadsUnderWay {
  private readonly manifests = new Set<string>();

  /** @param manifest the address of it */
  has(manifest: string): boolean {
    return this.manifests.has(manifest);
  }

  /** Does an upload that a person has settled, whether or not one of this manifest is begun already. */
  async during<Result>(manifest: string, work: () => Promise<Result>): Promise<Result> {
    const begun = this.begin(manifest);
    try {
      return await work();
    } finally {
      begun?.dispose();
    }
  }

  /** @returns what ends it; undefined while there is one of this manifest */
  begin(manifest: string): DisposableLike | undefined {
    if (this.manifests.has(manifest)) return undefined;
    this.manifests.add(manifest);
    return { dispose: () => void this.manifests.delete(manifest) };
  }
}
