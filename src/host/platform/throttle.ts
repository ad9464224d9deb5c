import { Disposable } from '../../base/disposable';

/** Does something as often as it is wanted, but not sooner than a while after the last time. */
export class Throttle extends Disposable {
  private resting: ReturnType<typeof setTimeout> | undefined;
  private wanted = false;

  /** @param restMs the least time between two times, in milliseconds */
  constructor(
    private readonly work: () => void,
    private readonly restMs: number,
  ) {
    super();
    this.register({ dispose: () => clearTimeout(this.resting) });
  }

  /** At once, or after the rest; what is wanted meanwhile is done once. */
  request(): void {
    if (this.isDisposed) return;
    this.wanted = true;
    if (this.resting === undefined) this.run();
  }

  private run(): void {
    this.resting = undefined;
    if (!this.wanted || this.isDisposed) return;
    this.wanted = false;
    this.resting = setTimeout(() => this.run(), this.restMs);
    this.work();
  }
}
