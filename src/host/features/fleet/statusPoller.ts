import type { DisposableLike } from '../../../base/disposable';

const MILLISECONDS = 1_000;

/** Calls one piece of work again and again, the next time only after the last one has ended. */
export class StatusPoller implements DisposableLike {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private seconds = 0;

  constructor(private readonly work: () => Promise<void>) {}

  /** @param seconds between the end of one time and the beginning of the next; 0 stops. */
  update(seconds: number): void {
    if (seconds === this.seconds) return;
    this.seconds = seconds;
    clearTimeout(this.timer);
    if (seconds > 0) this.schedule();
  }

  dispose(): void {
    this.update(0);
  }

  private schedule(): void {
    const { seconds } = this;
    this.timer = setTimeout(() => {
      void this.work().finally(() => {
        if (this.seconds === seconds) this.schedule();
      });
    }, seconds * MILLISECONDS);
  }
}
