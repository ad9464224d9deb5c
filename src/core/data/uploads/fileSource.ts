import { onAbort } from '../../../base/cancellation';

/** File to upload, independent of its location. */
export interface FileSource {
  /** Path relative to the selection, with `/` between folders, such as `photos/a.jpg`. */
  readonly path: string;
  /** Size in bytes at the time the file was found. */
  readonly size: number;
  /** Creation time in microseconds since 1970. */
  readonly createdAt?: number | undefined;
  readonly modifiedAt?: number | undefined;
  /**
   * Reads the content from its start in chunks, only as fast as they are consumed. Can be called
   * again to retry a failed upload.
   * @throws FleetError when the file can't be read; `conflict` when it has changed since it was
   *   found, at the latest after the last chunk.
   */
  readonly read: (signal: AbortSignal) => AsyncIterable<Uint8Array>;
}

/**
 * Passes bytes from a producer to a consumer in chunks. The producer waits until the consumer
 * requests more, so that at most one chunk is buffered.
 */
export class ChunkChannel {
  private chunk: Uint8Array | undefined;
  private requested: PromiseWithResolvers<void> | undefined;
  private arrived: PromiseWithResolvers<void> | undefined;
  private end: { readonly failure?: unknown } | undefined;

  private get isOver(): boolean {
    return this.end !== undefined;
  }

  /**
   * Passes a chunk and waits until the consumer requests the next one. @returns false if the stream
   * was closed
   */
  async write(bytes: Uint8Array): Promise<boolean> {
    if (this.isOver || this.chunk) return false;
    this.chunk = bytes;
    this.requested = Promise.withResolvers();
    this.arrived?.resolve();
    await this.requested.promise;
    return !this.isOver;
  }

  /** Closes the stream, either after the last chunk or because of a failure. */
  close(failure?: { readonly failure: unknown }): void {
    this.end ??= failure ?? {};
    this.arrived?.resolve();
    this.requested?.resolve();
  }

  /** Yields the chunks. @throws the failure that closed the stream, and the signal's reason. */
  async *take(signal: AbortSignal): AsyncGenerator<Uint8Array> {
    const following = onAbort(signal, () => this.close({ failure: signal.reason }));
    try {
      for (;;) {
        if (!this.chunk && !this.end) {
          this.arrived = Promise.withResolvers();
          await this.arrived.promise;
        }
        const { chunk } = this;
        if (chunk && !signal.aborted) {
          this.chunk = undefined;
          yield chunk;
          this.requested?.resolve();
        } else if (this.end) {
          if ('failure' in this.end) throw this.end.failure;
          return;
        }
      }
    } finally {
      following.dispose();
      this.close();
    }
  }
}

/**
 * Returns the addresses that no other address contains, because VS Code passes both a folder and
 * its contents if both are selected. There can be thousands of addresses, so this function looks up
 * the parent folders of each address instead of comparing all pairs.
 */
export function topmost(addresses: Iterable<string>): readonly string[] {
  const all = new Set(addresses);
  return [...all].filter(
    (address) => !listParentFolders(address).some((folder) => all.has(folder)),
  );
}

function listParentFolders(address: string): readonly string[] {
  return [...address.matchAll(/\//g)].map(({ index }) => address.slice(0, index));
}
