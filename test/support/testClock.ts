import type { Clock } from '../../src/base/clock';

/** A clock that advances only when a test advances it. */
export class TestClock implements Clock {
  private time: number;

  constructor(start = '2026-03-01T12:00:00.000Z') {
    this.time = Date.parse(start);
  }

  now(): Date {
    return new Date(this.time);
  }

  advance(milliseconds: number): void {
    this.time += milliseconds;
  }
}

/** A test clock that also advances by a millisecond whenever it is read. */
export class PassingClock extends TestClock {
  override now(): Date {
    this.advance(1);
    return super.now();
  }
}
