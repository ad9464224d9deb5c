import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { getErrorCode } from '../../../base/errorCode';
import { Disposable, type DisposableLike } from '../../../base/disposable';
import { toFleetError } from '../../../core/api/errors';
import type { ConnectionId, TrainingJobId } from '../../../core/model/ids';
import { isInProgress, type TrainingJob } from '../../../core/model/trainingJob';
import type { Clock, Logger } from '../../../core/ports';
import type { LocalFleetStatus } from '../../platform/featureInterfaces';
import type { SessionProvider } from '../../platform/sessionProvider';
import type { FailedPoll, JobScope, JobWatches, PolledJobs } from './jobWatches';
import { type AwaitedJob, type AwaitedJobs, jobFileName, type JobHandover } from './awaitedJobs';

interface JobEndingsOptions {
  readonly watches: JobWatches;
  readonly awaited: AwaitedJobs;
  readonly sessions: Pick<SessionProvider, 'connection' | 'onDidChangeConnections'>;
  readonly localFleet: Pick<LocalFleetStatus, 'isRunning' | 'onDidChange'>;
  readonly notified: Pick<NotifiedJobs, 'claim'>;
  readonly handover: Pick<JobHandover, 'note' | 'remove' | 'left'>;
  /** Called when a job has finished, regardless of which window notifies the user. */
  readonly ended: (connection: ConnectionId, job: TrainingJob) => void;
  /** Notifies the user that a job has finished. */
  readonly notify: (connection: ConnectionId, job: TrainingJob) => void;
  readonly log: Logger;
}

/**
 * Notifies the user when jobs have finished. This includes jobs submitted in this window, which are
 * polled, and jobs that this window has seen running. Each job is reported only once across all
 * windows.
 */
export class JobEndings extends Disposable {
  /** Keys of jobs that this window has seen running. */
  private readonly seen = new Set<string>();
  private readonly holds = new Map<string, DisposableLike>();
  /**
   * Keys of jobs that were missing in the last poll. A poll that started before a job was submitted
   * doesn't contain that job.
   */
  private readonly missed = new Set<string>();

  constructor(private readonly options: JobEndingsOptions) {
    super();
    this.register(options.watches.onDidPoll((polled) => void this.take(polled)));
    this.register(options.watches.onDidFail((failed) => void this.abandonScope(failed)));
    this.register({ dispose: () => this.holds.forEach((hold) => hold.dispose()) });
    this.register(options.sessions.onDidChangeConnections(() => void this.review()));
    this.register(options.localFleet.onDidChange(() => void this.review()));
    void this.review();
  }

  /** Starts waiting for a job to finish. The wait survives window reloads. */
  async await(job: AwaitedJob): Promise<void> {
    await this.options.awaited.add(job);
    if (this.canPoll(job)) this.hold(job);
    await this.share((handover) => handover.note(job));
  }

  /** Takes over the awaited jobs of windows that were closed. */
  async takeOver(): Promise<void> {
    for (const job of await this.options.handover.left()) await this.await(job);
  }

  /**
   * Updates the polling of awaited jobs after the connections or the state of the local fleet have
   * changed. Removes jobs for signed-out connections.
   */
  private async review(): Promise<void> {
    const { awaited, sessions } = this.options;
    for (const job of awaited.all) {
      if (!this.canPoll(job)) this.releaseHold(job);
      else if (!this.holds.has(toScopeKey(job))) this.hold(job);
      if (!sessions.connection(job.connectionId)) await this.stopAwaiting(job);
    }
  }

  /**
   * Returns false while the local fleet isn't running, because a poll would start the fleet
   * although the user didn't request it.
   */
  private canPoll({ connectionId }: JobScope): boolean {
    const { sessions, localFleet } = this.options;
    const connection = sessions.connection(connectionId);
    return connection !== undefined && (connection.kind !== 'local' || localFleet.isRunning);
  }

  private hold(scope: JobScope): void {
    const key = toScopeKey(scope);
    const watch = this.options.watches.of(scope);
    if (!this.holds.has(key)) this.holds.set(key, watch.startPolling());
    watch.pollSoon();
  }

  private async take({ scope, jobs }: PolledJobs): Promise<void> {
    const { awaited } = this.options;
    const { connectionId } = scope;
    const waitedFor = new Set(
      awaited.all.filter((one) => isIn(one, scope)).map(({ jobId }) => jobId),
    );
    const ended: TrainingJob[] = [];
    for (const job of jobs) {
      const key = jobKey(connectionId, job.id);
      if (isInProgress(job)) this.seen.add(key);
      else if (this.seen.delete(key) || waitedFor.has(job.id)) ended.push(job);
    }
    for (const job of ended) this.options.ended(connectionId, job);
    const there = new Map(jobs.map((job) => [job.id, job]));
    for (const jobId of waitedFor) {
      const job = there.get(jobId);
      if (job ? !isInProgress(job) : this.isDeleted(jobKey(connectionId, jobId))) {
        await this.stopAwaiting({ ...scope, jobId });
      }
    }
    if (!awaited.all.some((one) => isIn(one, scope))) this.releaseHold(scope);
    for (const job of ended) await this.notifyOnce(connectionId, job);
  }

  /** Removes the awaited jobs for an organization that was deleted or is no longer accessible. */
  private async abandonScope({ scope, error }: FailedPoll): Promise<void> {
    const { kind } = toFleetError(error);
    if (kind !== 'permission' && kind !== 'notFound') return;
    this.releaseHold(scope);
    const { awaited } = this.options;
    for (const job of awaited.all.filter((one) => isIn(one, scope))) await this.stopAwaiting(job);
  }

  private async stopAwaiting(job: AwaitedJob): Promise<void> {
    await this.options.awaited.remove(job);
    await this.share((handover) => handover.remove(job));
  }

  /**
   * Shares the awaited jobs with other windows. If that fails, notifications appear only while this
   * window is open.
   */
  private async share(
    say: (handover: JobEndingsOptions['handover']) => Promise<void>,
  ): Promise<void> {
    const { handover, log } = this.options;
    await say(handover).catch((error: unknown) => {
      log.warn("Other windows can't know which training jobs are being watched", {
        error: String(error),
      });
    });
  }

  /**
   * Returns true if a job was missing in two consecutive polls, which means that it was deleted.
   */
  private isDeleted(key: string): boolean {
    if (this.missed.delete(key)) return true;
    this.missed.add(key);
    return false;
  }

  private async notifyOnce(connectionId: ConnectionId, job: TrainingJob): Promise<void> {
    if (await this.isFirst(connectionId, job.id)) this.options.notify(connectionId, job);
  }

  private async isFirst(connectionId: ConnectionId, jobId: TrainingJobId): Promise<boolean> {
    try {
      return await this.options.notified.claim({ connectionId, jobId });
    } catch (error) {
      // Notifies the user even though the notification might be a duplicate.
      this.options.log.warn('The notifications shown for training jobs could not be saved', {
        error: String(error),
      });
      return true;
    }
  }

  private releaseHold(scope: JobScope): void {
    const key = toScopeKey(scope);
    this.holds.get(key)?.dispose();
    this.holds.delete(key);
  }
}

function isIn(job: AwaitedJob, { connectionId, organizationId }: JobScope): boolean {
  return job.connectionId === connectionId && job.organizationId === organizationId;
}

function toScopeKey({ connectionId, organizationId }: JobScope): string {
  return `${connectionId} ${organizationId}`;
}

function jobKey(connectionId: ConnectionId, jobId: TrainingJobId): string {
  return `${connectionId} ${jobId}`;
}

/** Lifetime of a marker in milliseconds. No window waits longer than this for a finished job. */
const RETENTION_MS = 30 * 24 * 3_600_000;

/** Markers for finished jobs that a window has already reported. Each marker is an empty file. */
export class NotifiedJobs {
  constructor(
    private readonly folder: string,
    private readonly clock: Clock,
  ) {}

  /** @returns true if the caller must report the job. Throws if the folder can't be written. */
  async claim(job: Pick<AwaitedJob, 'connectionId' | 'jobId'>): Promise<boolean> {
    await mkdir(this.folder, { recursive: true });
    try {
      // If windows create the file concurrently, only one window succeeds.
      const file = await open(join(this.folder, jobFileName(job)), 'wx');
      await file.close();
    } catch (error) {
      if (getErrorCode(error) === 'EEXIST') return false;
      throw error;
    }
    await this.removeOld();
    return true;
  }

  private async removeOld(): Promise<void> {
    const oldest = this.clock.now().getTime() - RETENTION_MS;
    for (const name of await readdir(this.folder)) {
      const path = join(this.folder, name);
      const found = await stat(path).catch(() => undefined);
      if (found && found.mtimeMs < oldest) await rm(path, { force: true });
    }
  }
}
