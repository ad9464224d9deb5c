import { createClient } from '@connectrpc/connect';
import type { Clock } from '../../base/clock';
import type { Logger } from '../../base/logger';
import { DataService } from '../../gen/viam/app/data/v1/data_pb';
import { DatasetService } from '../../gen/viam/app/dataset/v1/dataset_pb';
import { PackageService } from '../../gen/viam/app/packages/v1/packages_pb';
import { AppService } from '../../gen/viam/app/v1/app_pb';
import { logIn } from '../accounts/signIn';
import type { OwnerCredentials } from '../auth/bootstrap';
import { type Micros, microsFromDate, strictlyIncreasing } from '../store/micros';
import { recordContact } from '../store/parts';
import type { Store, StoreAccess } from '../store/store';
import { CompanyStory } from './companyStory';
import { type CompanyPlan, readDemoData } from './demoData';
import { type OpenTransport, signInTransport } from './demoClient';
import { DemoMachines } from './demoMachines';
import { emptyFleet } from './emptyFleet';
import { type Pending, sortByTime, type Stage } from './story';
import { findSetting, putSetting } from '../store/settings';

const MS_PER_DAY = 24 * 3600 * 1000;

/**
 * Age of the first boot in days. It is high enough to precede the oldest company's organization.
 */
const FIRST_BOOT_DAYS = 120;

/**
 * Task of this boot: load the demo from scratch, or delete the data from an interrupted load and
 * reload the demo.
 */
type Task = 'none' | 'load' | 'reload';

/**
 * Demo fleet: two companies with a few weeks of history, created through the same operations as any
 * other fleet. It is loaded only once, into an empty fleet. An interrupted load is restarted at the
 * next boot, even if that boot doesn't request the demo, so that no one uses an incomplete fleet.
 * Existing fleets are not affected.
 */
export class DemoFleet {
  private readonly clock: DemoClock;
  private increasing: () => Micros;
  private readonly heartbeat: DemoHeartbeat;
  private readonly machines: DemoMachines;
  private task: Task = 'none';
  private companies: readonly CompanyPlan[] = [];
  private isEnabled = false;

  constructor(
    private readonly store: Store,
    private readonly present: Clock,
    private readonly logger: Logger,
    /** True if other processes might use the same database. */
    private readonly isShared: boolean,
    /**
     * True if the demo machines are simulated. Otherwise, online machines only report their status.
     */
    private readonly isAlive = false,
  ) {
    this.clock = new DemoClock(present);
    this.increasing = strictlyIncreasing(this.clock);
    this.heartbeat = new DemoHeartbeat(store, this.clock, logger);
    this.machines = new DemoMachines(logger);
  }

  /**
   * Returns the service's current time. Never returns the same time twice. The time is in the past
   * while the history is being created. It jumps back only when that creation begins.
   */
  readonly now = (): Micros => this.increasing();

  /**
   * Determines whether the demo must be loaded and, if so, sets the clock back. Must be called
   * before the service is used.
   */
  async prepare(isEnabled: boolean): Promise<void> {
    this.isEnabled = isEnabled;
    const record = await findDemoRecord(this.store);
    if (record?.state === 'loading') {
      this.task = this.isShared ? rejectReload(isEnabled) : 'reload';
    } else if (isEnabled && record === undefined) {
      this.task = (await isFleetUntouched(this.store)) ? 'load' : 'none';
      if (this.task === 'none') {
        this.logger.warn('the database already has a fleet, so no demo fleet was added');
      }
    }
    // Reports problems with the files before anything is changed.
    if (this.task !== 'none') this.companies = readDemoData();
    // For a reload, the clock remains unchanged. The data from the interrupted load has later times
    // and can be deleted only with the current time.
    if (this.task === 'load') this.rewindClock();
  }

  /** Performs the task from `prepare`, and then starts the demo's online machines. */
  async start(open: OpenTransport, credentials: OwnerCredentials): Promise<void> {
    if (this.task !== 'none') {
      await putDemoRecord(this.store, { state: 'loading' });
      const liveParts = await this.seedCompanies(open, credentials);
      this.clock.returnToPresent();
      const livePartIds = liveParts.map(({ id }) => id);
      await putDemoRecord(this.store, { state: 'loaded', livePartIds });
      this.logger.info('the demo fleet is loaded');
    }
    const record = this.isEnabled ? await findDemoRecord(this.store) : undefined;
    if (record?.state !== 'loaded') return;
    // In a shared database, another service might be running the same machines.
    if (this.isAlive && !this.isShared) {
      this.machines.start(open, credentials, record.livePartIds);
    } else {
      await this.heartbeat.start(record.livePartIds);
    }
  }

  async stop(): Promise<void> {
    await this.machines.stop();
    await this.heartbeat.stop();
  }

  private rewindClock(): void {
    const firstBoot = this.present.now().getTime() - FIRST_BOOT_DAYS * MS_PER_DAY;
    this.clock.standAt(new Date(firstBoot));
    this.increasing = strictlyIncreasing(this.clock);
  }

  private async seedCompanies(
    open: OpenTransport,
    credentials: OwnerCredentials,
  ): Promise<readonly Pending[]> {
    const { apiKeyId: id, apiKey: key } = credentials;
    const transport = await signInTransport(open, { id, key });
    const owner = createClient(AppService, transport);
    const data = createClient(DataService, transport);
    const datasets = createClient(DatasetService, transport);
    const packages = createClient(PackageService, transport);
    if (this.task === 'reload') {
      await emptyFleet({ owner, data, datasets }, credentials);
      this.rewindClock();
    }
    const stage: Stage = {
      now: this.present.now(),
      owner,
      data,
      datasets,
      packages,
      open,
      companies: new Map(),
      parts: new Map(),
      liveParts: [],
      recordContact: (partId) =>
        recordContact(this.store, [partId], microsFromDate(this.clock.now())),
      logIn: async (email) => {
        await this.store
          .transaction()
          .execute((access) => logIn(access, email, () => microsFromDate(this.clock.now())));
      },
    };
    const steps = sortByTime(
      this.companies.flatMap((company, index) =>
        new CompanyStory(
          stage,
          company,
          index === 0 ? credentials.organizationId : undefined,
        ).createSteps(),
      ),
    );
    for (const step of steps) {
      this.clock.standAt(step.at);
      await step.run();
    }
    return stage.liveParts;
  }
}

// Rejects a reload in a shared database. In this case, it is unknown whether the load was
// interrupted or is being continued by another process, and whether all existing data belongs to
// the demo. Nothing must be deleted.
function rejectReload(isEnabled: boolean): Task {
  if (isEnabled) {
    throw new Error(
      'another instance is loading the demo fleet into this database, or was interrupted while loading it: wait for it, or start without --demo or with an empty database',
    );
  }
  return 'none';
}

/** Clock that follows another clock, except while the demo fleet's history is created. */
class DemoClock implements Clock {
  private past: Date | undefined;

  constructor(private readonly present: Clock) {}

  now(): Date {
    return this.past ?? this.present.now();
  }

  /** Stops the clock at the given time until another time is set. */
  standAt(date: Date): void {
    this.past = date;
  }

  /** Makes the clock follow the other clock again. */
  returnToPresent(): void {
    this.past = undefined;
  }
}

/** Stored state of loading the demo fleet. */
export type DemoRecord = { state: 'loading' } | { state: 'loaded'; livePartIds: string[] };

async function findDemoRecord(access: StoreAccess): Promise<DemoRecord | undefined> {
  const text = await findSetting(access, 'demo_fleet');
  return text === undefined ? undefined : (JSON.parse(text) as DemoRecord);
}

export async function putDemoRecord(access: StoreAccess, record: DemoRecord): Promise<void> {
  await putSetting(access, 'demo_fleet', JSON.stringify(record));
}

/**
 * Returns true if the store contains only the organization and owner key that the first boot
 * creates.
 */
async function isFleetUntouched(access: StoreAccess): Promise<boolean> {
  const allowed = {
    organizations: 1,
    api_keys: 1,
    locations: 0,
    fragments: 0,
    registry_items: 0,
  };
  for (const [table, limit] of Object.entries(allowed) as [keyof typeof allowed, number][]) {
    const rows = await access
      .selectFrom(table)
      .select('id')
      .limit(limit + 1)
      .execute();
    if (rows.length > limit) return false;
  }
  return true;
}

/**
 * Interval in milliseconds. Even if a machine misses a contact, the next one arrives before the
 * minute is over after which it counts as offline.
 */
const INTERVAL_MS = 25_000;

/**
 * Simulates contact from the demo machines, which would call the service every few seconds if they
 * were real.
 */
class DemoHeartbeat {
  private timer: NodeJS.Timeout | undefined;
  private last: Promise<void> = Promise.resolve();

  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  /** Records contact from these parts immediately, and then periodically until `stop` is called. */
  async start(partIds: readonly string[]): Promise<void> {
    await this.beat(partIds);
    this.timer = setInterval(() => {
      this.last = this.beat(partIds).catch((error: unknown) => {
        this.logger.warn('the demo fleet could not report', { error: String(error) });
      });
    }, INTERVAL_MS);
    this.timer.unref();
  }

  /** Stops the heartbeat. Resolves when it no longer uses the store. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.last;
  }

  private beat(partIds: readonly string[]): Promise<void> {
    return recordContact(this.store, partIds, microsFromDate(this.clock.now()));
  }
}
