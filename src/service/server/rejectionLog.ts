import type { Logger } from '../../base/logger';

/** Reason why the server rejected a request or connection. */
export type RejectionReason =
  | 'foreignHost'
  | 'foreignOrigin'
  | 'malformedHost'
  | 'unauthenticated'
  | 'unknownMethod'
  | 'tooLarge'
  | 'tooManyValues'
  | 'noMemory'
  | 'slowBody'
  | 'noRequest'
  | 'settingsFlood'
  | 'resetFlood'
  | 'tooManyConnections'
  | 'tooManyConnectionsOfAddress';

export type CountRejection = (reason: RejectionReason) => void;

const BURST_MS = 10_000;

/**
 * Counts rejections, and logs each burst on one line with a count per reason. Never logs the
 * content of requests.
 */
export class RejectionLog {
  private counts: Partial<Record<RejectionReason, number>> = {};
  private timer: NodeJS.Timeout | undefined;

  /** @param burstMs time after a rejection during which later rejections are collected */
  constructor(
    private readonly logger: Logger,
    private readonly burstMs = BURST_MS,
  ) {}

  readonly count: CountRejection = (reason) => {
    this.counts[reason] = (this.counts[reason] ?? 0) + 1;
    this.timer ??= setTimeout(() => this.flush(), this.burstMs).unref();
  };

  /** Logs the collected rejections. */
  flush(): void {
    if (this.timer === undefined) return;
    clearTimeout(this.timer);
    this.timer = undefined;
    this.logger.warn('rejected requests', this.counts);
    this.counts = {};
  }
}
