import type {
  AppClient,
  DataClient,
  DatasetClient,
  OpenTransport,
  PackageClient,
} from './demoClient';
import { DemoDataError } from './demoData';
import { hashText } from '../../simulate/random';

/** Past event in the fleet's history. */
export interface Step {
  at: Date;
  run(): Promise<void>;
}

/** ID that the service assigns in one step and that later steps use. */
export class Pending {
  private value: string | undefined;

  constructor(private readonly what: string) {}

  /** @throws DemoDataError if a step uses the resource before another step has created it. */
  get id(): string {
    if (this.value === undefined) {
      throw new DemoDataError(
        `the demo data uses ${this.what} before it is created; increase its daysAgo`,
      );
    }
    return this.value;
  }

  made(id: string): void {
    this.value = id;
  }
}

/** Sorts steps by time. The sort is stable. */
export function sortByTime(steps: readonly Step[]): Step[] {
  return [...steps].sort((left, right) => left.at.getTime() - right.at.getTime());
}

/** Returns a resource from the history by name. */
export function getPending(all: ReadonlyMap<string, Pending>, name: string): Pending {
  const pending = all.get(name);
  if (pending === undefined) throw new Error(`the demo fleet has no "${name}"`);
  return pending;
}

/** Shared context of all companies. */
export interface Stage {
  now: Date;
  /** Client for the user who owns all organizations. */
  owner: AppClient;
  /** Captured data client for the same owner. */
  data: DataClient;
  datasets: DatasetClient;
  packages: PackageClient;
  open: OpenTransport;
  /** Organizations by company name. */
  companies: Map<string, Pending>;
  /** Machine parts by name. */
  parts: Map<string, Pending>;
  /** Parts that call the service after the demo is loaded. */
  liveParts: Pending[];
  /** Records contact from a part, because no real machine calls the service. */
  recordContact(partId: string): Promise<void>;
  /** Records a login with this email address, because no real user logs in. */
  logIn(email: string): Promise<void>;
}

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
      if (weekday !== SATURDAY && weekday !== SUNDAY) left -= 1;
    }
    return day;
  }
}
