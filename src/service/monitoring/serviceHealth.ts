import { access, constants } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ObjectBucket } from '../objects/objectBucket';
import { DiskSpace } from '../store/diskReserve';
import { findSetting } from '../store/settings';
import type { Store } from '../store/store';

/**
 * Result of a check. `degraded` means that some calls fail, but that most don't. A full disk, for
 * example, is only degraded: without the service, no one could delete data to free space. `off` means
 * that the node doesn't have the role that needs the check.
 */
export const CHECK_STATUSES = ['ok', 'degraded', 'failed', 'off'] as const;
export type CheckStatus = (typeof CHECK_STATUSES)[number];

type Check = () => CheckStatus | Promise<CheckStatus>;

export interface HealthChecks {
  readonly database: Check;
  readonly dataDirectory: Check;
  readonly queryProcesses: Check;
  /** Absent if contents are in files. */
  readonly objectStore?: Check;
}

export type CheckName = keyof HealthChecks;

export type CheckResults = Readonly<Partial<Record<CheckName, CheckStatus>>>;

/** State of the service, without details that could reveal anything to unknown callers. */
export interface HealthReport {
  readonly status: 'ready' | 'notReady' | 'stopping';
  readonly checks: CheckResults;
}

export interface ServiceHealthOptions {
  readonly checks: HealthChecks;
  /** Time in milliseconds after which a check that hasn't responded counts as failed. */
  readonly timeoutMs?: number;
  /** Time in milliseconds for which a report is reused, so that callers can't overload the service. */
  readonly maxAgeMs?: number;
}

/** Longer than the pauses that large documents cause in the embedded store. */
const TIMEOUT_MS = 5_000;
const MAX_AGE_MS = 1_000;
const BUCKET_CHECK_MS = 10_000;

/** Determines whether the service can handle calls. */
export class ServiceHealth {
  private readonly stopController = new AbortController();
  private readonly running = new Map<string, Promise<CheckStatus>>();
  private latestReport: Promise<HealthReport> | undefined;
  private expiresAt = 0;

  constructor(private readonly options: ServiceHealthOptions) {}

  /** Aborts when the service starts to stop. */
  get stopping(): AbortSignal {
    return this.stopController.signal;
  }

  /** Makes all further reports say that the service is stopping, so that clients use another one. */
  stop(): void {
    this.stopController.abort();
  }

  /** Runs the checks, or returns a report that is at most a second old. Doesn't throw. */
  async report(): Promise<HealthReport> {
    const now = performance.now();
    if (this.latestReport === undefined || now >= this.expiresAt) {
      this.expiresAt = Number.POSITIVE_INFINITY;
      this.latestReport = this.check().finally(() => {
        this.expiresAt = performance.now() + (this.options.maxAgeMs ?? MAX_AGE_MS);
      });
    }
    const report = await this.latestReport;
    return this.stopping.aborted ? { ...report, status: 'stopping' } : report;
  }

  private async check(): Promise<HealthReport> {
    const results = await Promise.all(
      Object.entries(this.options.checks).map(
        async ([name, check]: [string, Check]) => [name, await this.run(name, check)] as const,
      ),
    );
    const checks = Object.fromEntries(results) as CheckResults;
    return { status: Object.values(checks).includes('failed') ? 'notReady' : 'ready', checks };
  }

  /** Waits for a check. A check that hangs isn't started a second time. */
  private async run(name: string, check: Check): Promise<CheckStatus> {
    const running =
      this.running.get(name) ??
      Promise.resolve()
        .then(check)
        .catch((): CheckStatus => 'failed')
        .finally(() => this.running.delete(name));
    this.running.set(name, running);
    const waiting = new AbortController();
    const timeout = sleep(this.options.timeoutMs ?? TIMEOUT_MS, 'failed' as const, {
      ref: false,
      signal: waiting.signal,
    }).catch(() => 'failed' as const);
    try {
      return await Promise.race([running, timeout]);
    } finally {
      waiting.abort();
    }
  }
}

/** Checks that the database answers a query that reads a table. */
export async function checkDatabase(store: Store): Promise<CheckStatus> {
  await findSetting(store, 'first_organization');
  return 'ok';
}

/** Checks that the folders exist and are writable, and that their disks aren't full. */
export async function checkFolders(folders: readonly string[]): Promise<CheckStatus> {
  const mode = constants.R_OK | constants.W_OK;
  await Promise.all(folders.map((folder) => access(folder, mode)));
  const rooms = await Promise.all(folders.map((folder) => new DiskSpace(folder).hasRoom(0)));
  return rooms.includes(false) ? 'degraded' : 'ok';
}

/**
 * Returns a check of a bucket, whose failure is only `degraded`: records and cached contents are
 * still available, and other services have the same bucket. A result is reused for a while, because
 * providers charge for each request. After that, the check is repeated in the background: if the
 * bucket hangs, probes would otherwise wait for seconds, and load balancers would stop using all
 * services at once.
 */
export function bucketCheck(
  bucket: Pick<ObjectBucket, 'check'>,
  maxAgeMs = BUCKET_CHECK_MS,
): () => Promise<CheckStatus> {
  let result: Promise<CheckStatus> | undefined;
  let isRunning = false;
  let expiresAt = 0;
  const run = async (): Promise<CheckStatus> => {
    isRunning = true;
    try {
      await bucket.check();
      return 'ok';
    } catch {
      return 'degraded';
    } finally {
      isRunning = false;
      expiresAt = performance.now() + maxAgeMs;
    }
  };
  return async () => {
    if (!isRunning && performance.now() >= expiresAt) {
      const next = run();
      if (result === undefined) result = next;
      else void next.then((status) => (result = Promise.resolve(status)));
    }
    return (await result) ?? 'ok';
  };
}
