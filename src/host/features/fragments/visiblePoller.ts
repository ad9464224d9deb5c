import * as vscode from 'vscode';
import { Disposable } from '../../../base/disposable';
import type { Event } from '../../../base/emitter';

/** Minimum delay as a multiple of the duration of a poll, so that a slow service has few polls. */
const MIN_DELAY_FACTOR = 10;
/** Throttle delay in milliseconds before a poll after changes, which often arrive in bursts. */
const CHANGE_DELAY_MS = 500;

/** Members of `vscode.window` that report whether the window has the focus. */
export interface FocusSource {
  readonly state: { readonly focused: boolean };
  readonly onDidChangeWindowState: Event<{ readonly focused: boolean }>;
}

/** Polls while something is visible in a focused window. Runs one poll at a time. */
export class VisiblePoller extends Disposable {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private latest = {};
  private running: Promise<void> | undefined;
  /** Poll that starts after the running one. */
  private following: Promise<void> | undefined;
  private isWorking = false;
  /** True if the next poll must include a change. */
  private hasChanged = false;
  /** Earliest time of the next scheduled poll. */
  private earliestAt = 0;

  /**
   * @param isVisible returns true if polling is needed
   * @param work polls once and returns the delay until the next poll in milliseconds; must not throw
   */
  constructor(
    private readonly isVisible: () => boolean,
    private readonly work: () => Promise<number>,
    private readonly window: FocusSource = vscode.window,
  ) {
    super();
    this.register(
      this.window.onDidChangeWindowState(({ focused }) => {
        if (focused) void this.poll();
        else this.stop();
      }),
    );
    this.register({ dispose: () => this.stop() });
  }

  /**
   * Polls immediately, or after the running poll, and schedules the next poll. Only stops if nothing
   * is visible. Resolves after a poll that started after this call.
   */
  poll(): Promise<void> {
    if (!this.running) {
      this.running = this.run().finally(() => {
        this.running = undefined;
      });
      return this.running;
    }
    this.following ??= this.running.then(() => {
      this.following = undefined;
      return this.poll();
    });
    return this.following;
  }

  /** Schedules one poll soon for all changes until then. */
  pollAfterChange(): void {
    if (this.hasChanged || this.isDisposed) return;
    this.hasChanged = true;
    if (!this.isWorking) this.schedule(CHANGE_DELAY_MS);
  }

  private async run(): Promise<void> {
    this.stop();
    if (this.isDisposed || !this.window.state.focused || !this.isVisible()) return;
    const { latest } = this;
    const startedAt = performance.now();
    this.isWorking = true;
    const delay = await this.work();
    this.isWorking = false;
    const endedAt = performance.now();
    this.earliestAt = endedAt + (endedAt - startedAt) * MIN_DELAY_FACTOR;
    if (latest === this.latest) this.schedule(this.hasChanged ? CHANGE_DELAY_MS : delay);
  }

  private schedule(delay: number): void {
    clearTimeout(this.timer);
    const minDelay = this.earliestAt - performance.now();
    this.timer = setTimeout(() => void this.poll(), Math.max(delay, minDelay));
  }

  /** Cancels the next poll. A running one finishes, but schedules no other one. */
  private stop(): void {
    clearTimeout(this.timer);
    this.hasChanged = false;
    this.latest = {};
  }
}
