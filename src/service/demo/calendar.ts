import { hashText } from '../../simulate/random';

const SATURDAY = 6;
const SUNDAY = 0;
const MS_PER_SECOND = 1000;
const SECONDS_PER_HOUR = 3600;
const MS_PER_DAY = 24 * SECONDS_PER_HOUR * MS_PER_SECOND;
const FIRST_WORKING_HOUR = 7;
const WORKING_HOURS = 10;

/** Schedules user activities for working hours on working days in a time zone. */
export class Calendar {
  constructor(
    private readonly now: Date,
    private readonly utcOffsetHours: number,
  ) {}

  /**
   * Returns a time on a working day in the past.
   * @param daysAgo number of working days before today, at least 1.
   * @param occasion name of the event. It determines the time of day, which is the same for every
   *   load.
   */
  getPastTime(daysAgo: number, occasion: string): Date {
    const seconds =
      (FIRST_WORKING_HOUR - this.utcOffsetHours) * SECONDS_PER_HOUR +
      (hashText(occasion) % (WORKING_HOURS * SECONDS_PER_HOUR));
    return new Date(this.getWorkingDayStart(daysAgo) + seconds * MS_PER_SECOND);
  }

  private getWorkingDayStart(daysAgo: number): number {
    let day = Math.floor(this.now.getTime() / MS_PER_DAY) * MS_PER_DAY;
    for (let left = daysAgo; left > 0;) {
      day -= MS_PER_DAY;
      const weekday = new Date(day).getUTCDay();
      if (weekday !== SATURDAY && weekday !== SUNDAY) {
        left -= 1;
      }
    }
    return day;
  }
}
