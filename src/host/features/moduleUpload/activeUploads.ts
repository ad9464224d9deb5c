import type { DisposableLike } from '../../../base/disposable';

/**
 * Uploads in progress. Prevents the same upload from running twice concurrently, for example if the
 * user presses a key twice.
 */
export class ActiveUploads {
  private readonly manifests = new Set<string>();

  /** @param manifest URI of the manifest */
  has(manifest: string): boolean {
    return this.manifests.has(manifest);
  }

  /** Runs a confirmed upload, even if another upload of the same manifest is in progress. */
  async during<Result>(manifest: string, work: () => Promise<Result>): Promise<Result> {
    const begun = this.begin(manifest);
    try {
      return await work();
    } finally {
      begun?.dispose();
    }
  }

  /**
   * @returns a disposable that ends the upload; undefined while another upload of this manifest is
   *   in progress
   */
  begin(manifest: string): DisposableLike | undefined {
    if (this.manifests.has(manifest)) return undefined;
    this.manifests.add(manifest);
    return { dispose: () => void this.manifests.delete(manifest) };
  }
}
