import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../../base/logger';
import type { NewLogLine } from '../store/logs/logLines';
import { linesBehind, presentPosition } from '../store/logs/logPositions';
import type { Store } from '../store/store';
import type { LogHub } from './logHub';

const RETRY_MS = 1000;

/** Stored lines up to an ID. Includes the line contents if this service stored the lines. */
export interface StoredBatch {
  last: number;
  lines: readonly NewLogLine[] | undefined;
}

/** Delivers a tailed part's lines, each exactly once and in order. */
export class TailedPart {
  /**
   * Resolves when the subscription is active, so that all lines stored from then on are delivered.
   */
  readonly begun: Promise<void>;
  private position = 0;
  private work: Promise<void>;
  private readonly ended = new AbortController();

  constructor(
    private readonly options: { store: Store; hub: LogHub; logger: Logger },
    private readonly partId: string,
    /** Subscribes to notifications about stored lines. */
    private readonly subscribe: () => Promise<void>,
  ) {
    this.begun = this.begin();
    // Callers that await `begun` receive the error.
    this.work = this.begun.catch(() => undefined);
  }

  /** Delivers the lines that a transaction has stored. Transactions arrive in ID order. */
  takeIn({ last, lines }: StoredBatch): void {
    this.next(async () => {
      if (last <= this.position) return;
      if (lines === undefined) {
        await this.read();
        return;
      }
      this.position = last;
      this.publish(lines);
    });
  }

  /**
   * Subscribes again, and delivers lines that were stored while notifications were not being
   * received.
   */
  catchUp(): void {
    this.next(async () => {
      await this.subscribe();
      await this.read();
    });
  }

  end(): void {
    this.ended.abort();
  }

  private async begin(): Promise<void> {
    await this.subscribe();
    this.position = await presentPosition(this.options.store, this.partId);
  }

  private next(step: () => Promise<void>): void {
    this.work = this.work.then(() => this.retried(step));
  }

  private async retried(step: () => Promise<void>): Promise<void> {
    const { signal } = this.ended;
    while (!signal.aborted) {
      try {
        await step();
        return;
      } catch (error) {
        const { partId } = this;
        this.options.logger.warn('log lines for live logs could not be read yet', {
          partId,
          error: String(error),
        });
        await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  /** Reads up to the last stored line, which is always the end of a transaction. */
  private async read(): Promise<void> {
    while (!this.ended.signal.aborted) {
      const rows = await linesBehind(this.options.store, this.partId, this.position);
      const last = rows.at(-1);
      if (last === undefined) return;
      this.position = last.id;
      this.publish(rows);
    }
  }

  private publish(lines: readonly NewLogLine[]): void {
    this.options.hub.publish(this.partId, lines);
  }
}
