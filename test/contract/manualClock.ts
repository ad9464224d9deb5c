import type { Clock } from '../../src/base/clock';

/** A clock that moves only when told to. */
export class ManualClock implements Clock {
  #milliseconds: number;

  constructor(start = Date.UTC(2026, 0, 5, 8)) {
    this.#milliseconds = start;
  }

  now(): Date {
    return new Date(this.#milliseconds);
  }

  advance(milliseconds: number): void {
    this.#milliseconds += milliseconds;
  }
}
