import * as vscode from 'vscode';
import { Disposable } from '../../../base/disposable';

/** Minimum delay as a multiple of the duration of a poll, so that a slow service has few polls. */
const MIN_DELAY_FACTOR = 10;

/** Polls while something is visible in a focused window. */
export class VisiblePoller extends Disposable {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private latest = {};

  /**
   * @param isVisible returns true if polling is needed
   * @param work polls once and returns the delay until the next poll in milliseconds; must not throw
   */
  constructor(
    private readonly isVisible: () => boolean,
    private readonly work: () => Promise<number>,
  ) {
    super();
    this.register(
      vscode.window.onDidChangeWindowState(({ focused }) => {
        if (focused) void this.poll();
        else this.stop();
      }),
    );
    this.register({ dispose: () => this.stop() });
  }

  /** Polls now and schedules the next poll. Only stops if nothing is visible. */
  async poll(): Promise<void> {
    this.stop();
    if (this.isDisposed || !vscode.window.state.focused || !this.isVisible()) return;
    const { latest } = this;
    const startedAt = performance.now();
    const delay = await this.work();
    if (latest !== this.latest) return;
    const minDelay = (performance.now() - startedAt) * MIN_DELAY_FACTOR;
    this.timer = setTimeout(() => void this.poll(), Math.max(delay, minDelay));
  }

  /** Cancels the next poll. A running one finishes, but schedules no other one. */
  private stop(): void {
    clearTimeout(this.timer);
    this.latest = {};
  }
}
