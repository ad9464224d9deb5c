import { Disposable } from '../../../base/disposable';
import type { Sleep } from '../../../core/ports';
import type { LogChange } from '../../../shared/logs';

/** Minimum time in milliseconds between two changes. 15 changes per second look continuous. */
const REST_MS = 66;

export interface ChangePumpOptions {
  /**
   * Returns all changes since the last call.
   * @param reset true if the panel has no earlier state.
   */
  readonly take: (reset: boolean) => Omit<LogChange, 'revision'>;
  readonly send: (change: LogChange) => void;
  readonly sleep: Sleep;
}

/** State for the lifetime of the panel's page, from its first message until it is hidden. */
interface Run {
  readonly ending: AbortController;
  /** Number of pauses in progress. */
  resting: number;
  fresh: boolean;
  undrawn: number | undefined;
}

/**
 * Sends changes to a panel as fast as the panel draws them. Combines pending changes into one,
 * sends it when the previous one has been drawn, and sends nothing while there is no page.
 */
export class ChangePump extends Disposable {
  private run: Run | undefined;
  private revision = 0;
  private isRequested = false;

  constructor(private readonly options: ChangePumpOptions) {
    super();
    this.register({ dispose: () => this.stop() });
  }

  /**
   * Starts sending changes to a new page without state. Sends the first change after the messages
   * that are currently being processed.
   */
  start(): void {
    this.stop();
    if (this.isDisposed) return;
    this.run = { ending: new AbortController(), resting: 0, fresh: true, undrawn: undefined };
    this.isRequested = true;
    this.rest(this.run, 0);
  }

  /** Stops because the page was unloaded. */
  stop(): void {
    this.run?.ending.abort();
    this.run = undefined;
  }

  /** Requests that pending changes be sent. */
  request(): void {
    this.isRequested = true;
    this.send();
  }

  /**
   * Sends pending changes before a response that contains row positions, because the page knows
   * only the positions of the last change. No further change is sent until the response has been
   * sent.
   */
  flush(): void {
    const { run } = this;
    if (!run) return;
    if (this.isRequested) this.sendUpdate(run);
    else this.rest(run, REST_MS);
  }

  /** Records that the page has drawn a change. */
  drawn(revision: number): void {
    if (this.run?.undrawn !== revision) return;
    this.run.undrawn = undefined;
    this.send();
  }

  private send(): void {
    const { run } = this;
    if (!run || run.resting > 0 || !this.isRequested || run.undrawn !== undefined) return;
    this.sendUpdate(run);
  }

  private sendUpdate(run: Run): void {
    const reset = run.fresh;
    this.isRequested = false;
    this.revision += 1;
    run.fresh = false;
    run.undrawn = this.revision;
    this.options.send({ revision: this.revision, ...this.options.take(reset) });
    this.rest(run, REST_MS);
  }

  private rest(run: Run, milliseconds: number): void {
    run.resting += 1;
    this.options.sleep(milliseconds, run.ending.signal).then(
      () => {
        run.resting -= 1;
        if (this.run === run) this.send();
      },
      () => undefined,
    );
  }
}
