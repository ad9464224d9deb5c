import type { DisposableLike } from '../../../base/disposable';

/**
 * Uploads in progress, which must not be repeated at the same time: pressing a key twice counts
 * once.
 */
export class ActiveUploads {
  private readonly manifests = new Set<string>();

  /** @param manifest URI of the manifest */
  has(manifest: string): boolean {
    return this.manifests.has(manifest);
  }

  /** Runs a confirmed upload, whether or not another one of this manifest is in progress. */
  async during<Result>(manifest: string, work: () => Promise<Result>): Promise<Result> {
    const begun = this.begin(manifest);
    try {
      return await work();
    } finally {
      begun?.dispose();
    }
  }

  /** @returns a disposable that ends it; undefined while one of this manifest is in progress */
  begin(manifest: string): DisposableLike | undefined {
    if (this.manifests.has(manifest)) return undefined;
    this.manifests.add(manifest);
    return { dispose: () => void this.manifests.delete(manifest) };
  }
}
