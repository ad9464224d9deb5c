import type { DisposableLike } from '../../../base/disposable';
import type { Clock } from '../../../core/ports';

const MILLISECONDS = 1_000;
/** Maximum delay when polling a service that doesn't respond. */
const MAX_WAIT_SECONDS = 900;
/** Minimum delay when polling a service that responds to some calls but fails on others. */
const MIN_PAUSE_AFTER_FAILURE_SECONDS = 2;

/**
 * Runs a task repeatedly. The delay after each run grows with the number of consecutive failures.
 */
export class StatusPoller implements DisposableLike {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private seconds = 0;
  private failures = 0;
  private isWorking = false;
  private endedAt = 0;
  private dueAt = 0;

  constructor(
    private readonly work: () => Promise<void>,
    private readonly clock: Clock,
    /** Called after each run; receives true if the run failed. */
    private readonly onDone: (failed: boolean) => void = () => undefined,
  ) {}

  /**
   * Sets the delay. After a pause, starts an overdue run immediately.
   * @param seconds time from the end of one run to the start of the next; 0 stops polling.
   */
  update(seconds: number): void {
    if (seconds === this.seconds) return;
    const first = this.dueAt === 0;
    this.seconds = seconds;
    clearTimeout(this.timer);
    if (seconds === 0) return;
    this.schedule(first ? seconds * MILLISECONDS : this.dueAt - this.clock.now().getTime());
  }

  /** Runs a failed task again soon, because its result is known to be outdated. */
  retrySoon(): void {
    if (this.failures === 0 || this.isWorking) return;
    this.failures = 0;
    const pause = Math.min(this.seconds, MIN_PAUSE_AFTER_FAILURE_SECONDS);
    this.dueAt = this.endedAt + pause * MILLISECONDS;
    if (this.seconds === 0) return;
    clearTimeout(this.timer);
    this.schedule(this.dueAt - this.clock.now().getTime());
  }

  dispose(): void {
    this.update(0);
  }

  private schedule(wait: number): void {
    const { seconds } = this;
    const milliseconds = Math.min(Math.max(0, wait), waitAfter(seconds, this.failures));
    this.dueAt = this.clock.now().getTime() + milliseconds;
    this.timer = setTimeout(() => void this.run(), milliseconds);
  }

  private async run(): Promise<void> {
    const { seconds } = this;
    this.isWorking = true;
    const failed = await this.work().then(
      () => false,
      () => true,
    );
    this.isWorking = false;
    this.failures = failed ? this.failures + 1 : 0;
    const wait = waitAfter(this.seconds || seconds, this.failures);
    this.endedAt = this.clock.now().getTime();
    this.dueAt = this.endedAt + wait;
    if (this.seconds === 0) return;
    this.onDone(failed);
    clearTimeout(this.timer);
    this.schedule(wait);
  }
}

function waitAfter(seconds: number, failures: number): number {
  return Math.min(seconds * 2 ** failures, Math.max(seconds, MAX_WAIT_SECONDS)) * MILLISECONDS;
}
