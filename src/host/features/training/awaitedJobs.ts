import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createHash } from 'node:crypto';
import {
  type ConnectionId,
  connectionId,
  type OrganizationId,
  organizationId,
  type TrainingJobId,
  trainingJobId,
} from '../../../core/model/ids';
import type { KeyValue } from '../../../core/ports';
import { type Guarded, isListOf, isNumber, isShape, isString } from '../../../shared/guards';
import { isRunning } from '../../../processes/isRunning';

/** Job whose completion this window waits for. */
export interface AwaitedJob {
  readonly connectionId: ConnectionId;
  readonly organizationId: OrganizationId;
  readonly jobId: TrainingJobId;
}

const isStoredJob = isShape({
  connection: isString,
  organization: isString,
  job: isString,
});
type StoredJob = Guarded<typeof isStoredJob>;

const isStored = isListOf(isStoredJob);

const KEY = 'training.awaited';
/** Maximum number of awaited jobs. Users who submit more jobs have other means to monitor them. */
const MAX_JOBS = 100;

/** Unfinished jobs that were submitted in this window, saved across reloads. */
export class AwaitedJobs {
  constructor(private readonly storage: KeyValue) {}

  get all(): readonly AwaitedJob[] {
    const stored = this.storage.get(KEY);
    if (!isStored(stored)) return [];
    return stored.map(({ connection, organization, job }) => ({
      connectionId: connectionId(connection),
      organizationId: organizationId(organization),
      jobId: trainingJobId(job),
    }));
  }

  async add(job: AwaitedJob): Promise<void> {
    const others = this.all.filter((one) => !isSame(one, job));
    await this.store([...others, job].slice(-MAX_JOBS));
  }

  /**
   * Removes a job.
   * @returns true if it was awaited
   */
  async remove(job: AwaitedJob): Promise<boolean> {
    const { all } = this;
    const others = all.filter((one) => !isSame(one, job));
    if (others.length === all.length) return false;
    await this.store(others);
    return true;
  }

  private async store(jobs: readonly AwaitedJob[]): Promise<void> {
    const stored: readonly StoredJob[] = jobs.map((job) => ({
      connection: job.connectionId,
      organization: job.organizationId,
      job: job.jobId,
    }));
    await this.storage.update(KEY, stored.length > 0 ? stored : undefined);
  }
}

function isSame(one: AwaitedJob, other: AwaitedJob): boolean {
  return one.connectionId === other.connectionId && one.jobId === other.jobId;
}

/**
 * Returns a file name for a job. Job IDs can't be used as file names, because they come from the
 * service and aren't trusted.
 */
export function jobFileName({
  connectionId,
  jobId,
}: Pick<AwaitedJob, 'connectionId' | 'jobId'>): string {
  return createHash('sha256')
    .update(JSON.stringify([connectionId, jobId]))
    .digest('hex');
}

const isStoredWait = isShape({
  connection: isString,
  organization: isString,
  job: isString,
  /** Process ID of the waiting window's extension host. */
  process: isNumber,
});
type StoredWait = Guarded<typeof isStoredWait>;

/**
 * Records which window waits for which job, in a folder that all windows share. This lets another
 * window take over a closed window's jobs.
 */
export class JobHandover {
  constructor(
    private readonly folder: string,
    private readonly ownProcess = process.pid,
  ) {}

  /** Records that this window waits for a job. Throws if the folder can't be written. */
  async note(job: AwaitedJob): Promise<void> {
    const wait: StoredWait = {
      connection: job.connectionId,
      organization: job.organizationId,
      job: job.jobId,
      process: this.ownProcess,
    };
    await mkdir(this.folder, { recursive: true });
    await writeFile(this.getFile(job), JSON.stringify(wait));
  }

  /** Removes the record for a job that no window has to wait for anymore. */
  async remove(job: AwaitedJob): Promise<void> {
    await rm(this.getFile(job), { force: true });
  }

  /** Returns the jobs that closed windows were waiting for. */
  async left(): Promise<readonly AwaitedJob[]> {
    const names = await readdir(this.folder).catch(() => []);
    const waits = await Promise.all(names.map((name) => readWait(join(this.folder, name))));
    return waits.flatMap((wait) =>
      wait && wait.process !== this.ownProcess && !isRunning(wait.process) ? [awaited(wait)] : [],
    );
  }

  private getFile(job: AwaitedJob): string {
    return join(this.folder, jobFileName(job));
  }
}

/** Reads a record; undefined if another window is currently writing or removing it. */
async function readWait(file: string): Promise<StoredWait | undefined> {
  try {
    const read: unknown = JSON.parse(await readFile(file, 'utf8'));
    return isStoredWait(read) ? read : undefined;
  } catch {
    return undefined;
  }
}

function awaited({ connection, organization, job }: StoredWait): AwaitedJob {
  return {
    connectionId: connectionId(connection),
    organizationId: organizationId(organization),
    jobId: trainingJobId(job),
  };
}
