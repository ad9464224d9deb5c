import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../../base/logger';
import type { NewLogLine } from '../store/logs/logLines';
import { findLastPosition, readLinesAfter, type StoredRange } from '../store/logs/logPositions';
import type { Store } from '../store/store';
import type { LogHub } from './logHub';

const RETRY_MS = 500;

/** Lines that this service has stored. */
export interface StoredBatch extends StoredRange {
  lines: readonly NewLogLine[];
}

/** Delivers a tailed part's lines, each exactly once and in order. */
export class TailedPart {
  /**
   * Resolves when the position is known, so that all lines stored from then on are delivered.
   */
  readonly ready: Promise<void>;
  private lastDelivered = 0;
  private work: Promise<void>;
  private readonly ended = new AbortController();

  constructor(
    private readonly options: { store: Store; hub: LogHub; logger: Logger },
    private readonly partId: string,
  ) {
    this.ready = this.begin();
    // Callers that await `ready` receive the error.
    this.work = this.ready.catch(() => undefined);
  }

  /** ID of the last delivered line; 0 until the part's position is known. */
  get position(): number {
    return this.lastDelivered;
  }

  /**
   * Delivers the lines that this service has stored. Reads them from the store only if other lines
   * come before them.
   */
  deliver({ last, previous, lines }: StoredBatch): void {
    this.next(async () => {
      if (last <= this.lastDelivered) return;
      if (previous > this.lastDelivered) {
        await this.read();
        return;
      }
      this.lastDelivered = last;
      this.publish(lines);
    });
  }

  /** Delivers the lines that any service has stored after the last delivered line. */
  catchUp(): void {
    this.next(() => this.read());
  }

  end(): void {
    this.ended.abort();
  }

  private async begin(): Promise<void> {
    this.lastDelivered = await findLastPosition(this.options.store, this.partId);
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
      const rows = await readLinesAfter(this.options.store, this.partId, this.lastDelivered);
      const last = rows.at(-1);
      if (last === undefined) return;
      this.lastDelivered = last.id;
      this.publish(rows);
    }
  }

  private publish(lines: readonly NewLogLine[]): void {
    this.options.hub.publish(this.partId, lines);
  }
}
