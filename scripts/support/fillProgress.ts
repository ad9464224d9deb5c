import type { FillCounts } from '../../src/simulate/fill/fillFleet';
import type { FillKind } from '../../src/simulate/fill/fillPlan';

/** Names of the kinds of data, in the order in which the kinds are created. */
export const fillLabels: Readonly<Record<FillKind, string>> = {
  readings: 'readings',
  images: 'images',
  pointClouds: 'point clouds',
};
const wordLength = 13;
const refreshMs = 200;
const clearLine = '\r\u001b[2K';

/** Destination for progress lines. */
export interface ProgressOutput {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** Formats a number with group separators. */
export function grouped(value: number): string {
  return Math.round(value).toLocaleString('en');
}

/**
 * Shows the progress of filling a fleet: one line for each finished kind of data and, on a
 * terminal, an updating line for the current kind.
 */
export class FillProgress {
  private kind: FillKind | undefined;
  private done = 0;
  private shownAt = 0;
  private startedAt: number;

  /** @param now monotonic clock in milliseconds; the first kind starts immediately. */
  constructor(
    private readonly counts: FillCounts,
    private readonly output: ProgressOutput,
    private readonly now: () => number,
  ) {
    this.startedAt = now();
  }

  /** Reports how many items of a kind have been stored. */
  readonly report = (kind: FillKind, done: number): void => {
    if (kind !== this.kind) {
      this.end();
      this.kind = kind;
    }
    this.done = done;
    const time = this.now();
    if (this.output.isTTY === true && time - this.shownAt >= refreshMs) {
      this.shownAt = time;
      const total = this.counts[kind];
      const percent = Math.floor((100 * done) / total);
      this.output.write(
        `${clearLine}${this.label(kind)} ${grouped(done)} of ${grouped(total)} (${String(percent)} %), ${this.rate()}`,
      );
    }
  };

  /** Writes the last line of the current kind. */
  end(): void {
    const { kind, output } = this;
    if (kind !== undefined) {
      const seconds = ((this.now() - this.startedAt) / 1000).toFixed(1);
      const start = output.isTTY === true ? clearLine : '';
      output.write(
        `${start}${this.label(kind)} ${grouped(this.done)} in ${seconds} s, ${this.rate()}\n`,
      );
      this.kind = undefined;
      this.startedAt = this.now();
    }
  }

  private label(kind: FillKind): string {
    return fillLabels[kind].padEnd(wordLength);
  }

  private rate(): string {
    const perSecond = (this.done * 1000) / Math.max(1, this.now() - this.startedAt);
    return `${perSecond < 10 ? perSecond.toFixed(1) : grouped(perSecond)} a second`;
  }
}
