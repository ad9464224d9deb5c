import type { Clock } from '../../base/clock';

/** Follows another clock, except while the past of the demo fleet is told. */
export class DemoClock implements Clock {
  private past: Date | undefined;

  constructor(private readonly present: Clock) {}

  now(): Date {
    return this.past ?? this.present.now();
  }

  /** Stands still at a moment until it is set again. */
  standAt(moment: Date): void {
    this.past = moment;
  }

  /** Follows the other clock from now on. */
  returnToPresent(): void {
    this.past = undefined;
  }
}
