import { onAbort } from '../../../base/cancellation';

/**
 * Bytes that one side hands over and the other takes, a piece at a time: who hands over waits until the
 * other wants more, so that never more than one piece is kept.
 */
export class HandedBytes {
  private piece: Uint8Array | undefined;
  private wanted: PromiseWithResolvers<void> | undefined;
  private arrived: PromiseWithResolvers<void> | undefined;
  private end: { readonly failure?: unknown } | undefined;

  private get isOver(): boolean {
    return this.end !== undefined;
  }

  /** @returns whether more is wanted, as soon as it is. */
  async hand(bytes: Uint8Array): Promise<boolean> {
    if (this.isOver || this.piece) return false;
    this.piece = bytes;
    this.wanted = Promise.withResolvers();
    this.arrived?.resolve();
    await this.wanted.promise;
    return !this.isOver;
  }

  /** All is handed over, or nothing more can be. */
  close(failure?: { readonly failure: unknown }): void {
    this.end ??= failure ?? {};
    this.arrived?.resolve();
    this.wanted?.resolve();
  }

  /** The pieces. @throws what it was closed with, and the signal's reason. */
  async *take(signal: AbortSignal): AsyncGenerator<Uint8Array> {
    const following = onAbort(signal, () => this.close({ failure: signal.reason }));
    try {
      for (;;) {
        if (!this.piece && !this.end) {
          this.arrived = Promise.withResolvers();
          await this.arrived.promise;
        }
        const { piece } = this;
        if (piece && !signal.aborted) {
          this.piece = undefined;
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
