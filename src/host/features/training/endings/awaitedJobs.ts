import {
  type ConnectionId,
  connectionId,
  type OrganizationId,
  organizationId,
  type TrainingJobId,
  trainingJobId,
} from '../../../../core/model/ids';
import type { KeyValue } from '../../../../core/ports';
import { isListOf, isShape, isString } from '../../../../shared/guards';

/** Job whose completion this window waits for. */
export interface AwaitedJob {
  readonly connectionId: ConnectionId;
  readonly organizationId: OrganizationId;
  readonly jobId: TrainingJobId;
}

interface StoredJob {
  readonly connection: string;
  readonly organization: string;
  readonly job: string;
}

const isStored = isListOf(
  isShape<StoredJob>({ connection: isString, organization: isString, job: isString }),
);

const KEY = 'training.awaited';
/** Maximum number of awaited jobs. Users who submit more jobs have other means to monitor them. */
const MOST = 100;

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
    await this.store([...others, job].slice(-MOST));
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
      ...{ connection: job.connectionId, organization: job.organizationId, job: job.jobId },
    }));
    await this.storage.update(KEY, stored.length > 0 ? stored : undefined);
  }
}

function isSame(one: AwaitedJob, other: AwaitedJob): boolean {
  return one.connectionId === other.connectionId && one.jobId === other.jobId;
}
