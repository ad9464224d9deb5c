import { Disposable } from '../../../base/disposable';
import type { Sleep } from '../../../core/ports';
import type { LogChange } from '../../../shared/logs';

/** The least time between two changes: 15 a second are as live as an eye can follow. */
const REST_MS = 66;

export interface ChangePumpOptions {
  /** All that has changed since the last call. @param reset the panel knows of nothing before. */
  readonly take: (reset: boolean) => Omit<LogChange, 'revision'>;
  readonly send: (change: LogChange) => void;
  readonly sleep: Sleep;
}

/** One life of the panel's page: from its first word until it is hidden. */
interface Run {
  readonly ending: AbortController;
  /** Rests that are under way. */
  resting: number;
  fresh: boolean;
  undrawn: number | undefined;
}

/**
 * Tells a panel of changes as fast as it draws them: many become one, a new one leaves once the one before is
 * drawn, and nothing while there is no page to draw it.
 */
export class ChangePump extends Disposable {
  private run: Run | undefined;
  private revision = 0;
  private wanted = false;

  constructor(private readonly options: ChangePumpOptions) {
    super();
    this.register({ dispose: () => this.stop() });
  }

  /** A page is there that knows nothing yet. The first change leaves after what is now being said. */
  start(): void {
    this.stop();
    if (this.isDisposed) return;
    this.run = { ending: new AbortController(), resting: 0, fresh: true, undrawn: undefined };
    this.wanted = true;
    this.rest(this.run, 0);
  }

  /** The page is gone. */
  stop(): void {
    this.run?.ending.abort();
    this.run = undefined;
  }

  /** Something has changed. */
  request(): void {
    this.wanted = true;
    this.send();
  }

  /**
   * Tells of what has changed before something is answered that names rows by their places: the page knows
   * only the places of the last change that was sent. None follows before the answer.
   */
  settle(): void {
    const { run } = this;
    if (!run) return;
    if (this.wanted) this.tell(run);
    else this.rest(run, REST_MS);
  }

  /** The page has drawn a change. */
  drawn(revision: number): void {
    if (this.run?.undrawn !== revision) return;
    this.run.undrawn = undefined;
    this.send();
  }

  private send(): void {
    const { run } = this;
    if (!run || run.resting > 0 || !this.wanted || run.undrawn !== undefined) return;
    this.tell(run);
  }

  private tell(run: Run): void {
    const reset = run.fresh;
    this.wanted = false;
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
