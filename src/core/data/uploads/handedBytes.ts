import { onAbort } from '../../../base/cancellation';

/**
 * Passes bytes from a producer to a consumer in chunks. The producer waits until the consumer
 * requests more, so that at most one chunk is buffered.
 */
export class HandedBytes {
  private chunk: Uint8Array | undefined;
  private wanted: PromiseWithResolvers<void> | undefined;
  private arrived: PromiseWithResolvers<void> | undefined;
  private end: { readonly failure?: unknown } | undefined;

  private get isOver(): boolean {
    return this.end !== undefined;
  }

  /**
   * Passes a chunk and waits until the consumer requests the next one. @returns false if the stream
   * was closed
   */
  async hand(bytes: Uint8Array): Promise<boolean> {
    if (this.isOver || this.chunk) return false;
    this.chunk = bytes;
    this.wanted = Promise.withResolvers();
    this.arrived?.resolve();
    await this.wanted.promise;
    return !this.isOver;
  }

  /** Closes the stream because everything was passed on or because a failure occurred. */
  close(failure?: { readonly failure: unknown }): void {
    this.end ??= failure ?? {};
    this.arrived?.resolve();
    this.wanted?.resolve();
  }

  /**
   * Yields the chunks. @throws the failure with which the stream was closed, and the signal's
   * reason.
   */
  async *take(signal: AbortSignal): AsyncGenerator<Uint8Array> {
    const following = onAbort(signal, () => this.close({ failure: signal.reason }));
    try {
      for (;;) {
        if (!this.chunk && !this.end) {
          this.arrived = Promise.withResolvers();
          await this.arrived.promise;
        }
        const { chunk: piece } = this;
        if (piece && !signal.aborted) {
          this.chunk = undefined;
          yield piece;
          this.wanted?.resolve();
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
