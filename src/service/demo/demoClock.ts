import type { Clock } from '../../base/clock';

/** Clock that follows another one, except while the history of the demo fleet is created. */
export class DemoClock implements Clock {
  private past: Date | undefined;

  constructor(private readonly present: Clock) {}

  now(): Date {
    return this.past ?? this.present.now();
  }

  /** Stops the clock at a time until another time is set. */
  standAt(date: Date): void {
    this.past = date;
  }

  /** Makes the clock follow the other clock again. */
  returnToPresent(): void {
    this.past = undefined;
  }
}
