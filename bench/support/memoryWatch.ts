const MEBIBYTE = 1024 * 1024;
const POLL_INTERVAL_MS = 100;

/** Monitors the memory of this process, in MiB, from construction on. */
export class MemoryWatch implements Disposable {
  readonly before = mebibytesNow();
  private most = this.before;
  private readonly timer = setInterval(() => this.sample(), POLL_INTERVAL_MS);

  /** Peak memory so far. */
  get peak(): number {
    this.sample();
    return this.most;
  }

  [Symbol.dispose](): void {
    clearInterval(this.timer);
  }

  private sample(): void {
    this.most = Math.max(this.most, mebibytesNow());
  }
}

function mebibytesNow(): number {
  return Math.round(process.memoryUsage.rss() / MEBIBYTE);
}
