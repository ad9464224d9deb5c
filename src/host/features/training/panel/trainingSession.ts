import { Disposable, type DisposableLike } from '../../../../base/disposable';
import { Emitter } from '../../../../base/emitter';
import { FleetError, isCanceled, toFleetError } from '../../../../core/api/errors';
import { type DatasetId, type TrainingJobId, trainingJobId } from '../../../../core/model/ids';
import type { OrganizationTarget } from '../../../../core/model/resourceTarget';
import { isInProgress, type TrainingJob } from '../../../../core/model/trainingJob';
import {
  type ReadLogPage,
  TrainingLogReader,
  type TrainingProgress,
} from '../../../../core/training/trainingLogReader';
import type { FleetStores } from '../../../../core/stores/fleetStores';
import { accessLossKinds } from '../../../../shared/accessLoss';
import type { SessionProvider } from '../../../platform/sessionProvider';
import type { JobWatches } from '../jobWatches';

interface TrainingSessionOptions {
  readonly sessions: SessionProvider;
  readonly watches: JobWatches;
  /** Throws an error that names the required role if the user doesn't have it. */
  readonly requireRight: (stores: FleetStores, target: OrganizationTarget) => Promise<void>;
  /** Returns the message for a job that no longer exists. */
  readonly deletedMessage: (job: string) => string;
}

/** Jobs from the last read, with the names of related resources. */
export interface ReadJobs {
  readonly organization: string;
  readonly jobs: readonly TrainingJob[];
  readonly datasets: ReadonlyMap<DatasetId, string>;
}

/** One panel's training jobs and the logs that it follows, independent of webviews. */
export class TrainingSession extends Disposable {
  private readonly changed = this.register(new Emitter<void>());
  /** Fires when the jobs or their accessibility might have changed. */
  readonly onDidChange = this.changed.event;
  private readonly logChanged = this.register(new Emitter<TrainingJobId>());
  /** Fires when the log of the selected job or of a compared job has new lines. */
  readonly onDidChangeLog = this.logChanged.event;
  private hold: DisposableLike | undefined;
  private read: ReadJobs | undefined;
  private lastPolled: readonly TrainingJob[] | undefined;
  private readonly feeds = new Map<TrainingJobId, JobLogFeed>();
  private selected: TrainingJobId | undefined;
  private compared: ReadonlySet<TrainingJobId> = new Set();
  /** Error in the last poll or read. If it is set, the cached jobs might be outdated. */
  private failure: unknown;
  private readonly ending = new AbortController();

  constructor(
    readonly target: OrganizationTarget,
    private readonly options: TrainingSessionOptions,
  ) {
    super();
    const watch = options.watches.of(target);
    this.register(watch.onDidPoll((jobs) => this.onDidPoll(jobs)));
    this.register(watch.onDidFail((error) => this.failed(error)));
    this.register({ dispose: () => this.hold?.dispose() });
    this.register({ dispose: () => this.ending.abort() });
    this.subscribe(options.sessions.lastingStores(target.connectionId));
  }

  /** Returns the connection's stores. Throws `unauthenticated` if the connection is signed out. */
  get stores(): FleetStores {
    return this.options.sessions.stores(this.target.connectionId);
  }

  /** Starts polling the jobs if the panel is visible; otherwise, stops polling. */
  setVisible(visible: boolean): void {
    if (!visible) {
      this.hold?.dispose();
      this.hold = undefined;
    } else {
      this.hold ??= this.options.watches.of(this.target).startPolling();
    }
  }

  /**
   * Reads the jobs. Throws `unauthenticated` if the connection is signed out, and `permission` if
   * the key isn't an owner of the organization.
   * @param fresh true to call the service even if the jobs are cached
   */
  async load(fresh: boolean, signal: AbortSignal): Promise<ReadJobs> {
    try {
      this.read = await this.readAll(fresh, signal);
      return this.read;
    } catch (error) {
      if (!signal.aborted && !isCanceled(error)) this.couldNotRead(error);
      throw error;
    }
  }

  /** Records a failed read. Preserves the cached jobs unless the key has lost access to them. */
  private couldNotRead(error: unknown): void {
    if (accessLossKinds.has(toFleetError(error).kind)) this.read = undefined;
    // The next successful poll reloads the jobs.
    this.failure ??= error;
  }

  /** Returns a job from the last read. Throws `notFound`. */
  job(id: string): TrainingJob {
    const found = this.read?.jobs.find((job) => job.id === id);
    if (found) return found;
    throw new FleetError('notFound', this.options.deletedMessage(id));
  }

  /** Returns the name of a job's dataset; undefined if it was deleted or isn't accessible. */
  getDatasetName({ datasetId }: TrainingJob): string | undefined {
    return this.read?.datasets.get(datasetId);
  }

  /** Selects the job whose log to follow; undefined for none. */
  select(id: string | undefined): void {
    this.selected = id === undefined ? undefined : trainingJobId(id);
    this.followLogs();
  }

  /** Sets the jobs whose logs to follow in addition to the selected job's log. */
  compare(ids: readonly string[]): void {
    this.compared = new Set(ids.map(trainingJobId));
    this.followLogs();
  }

  /** Reads the logs to follow, and drops all others. */
  private followLogs(): void {
    for (const job of this.feeds.keys()) if (!this.isFollowed(job)) this.feeds.delete(job);
    void this.readLogs();
  }

  private isFollowed(job: TrainingJobId): boolean {
    return job === this.selected || this.compared.has(job);
  }

  /** Selected job as of the last read; undefined if none is selected. */
  get selectedJob(): TrainingJob | undefined {
    return this.read?.jobs.find(({ id }) => id === this.selected);
  }

  /** Returns a job's log. Reads its available lines if it hasn't been read yet. */
  async log(id: string, signal: AbortSignal): Promise<JobLogFeed> {
    const job = this.job(id);
    const feed = this.getFeed(job.id);
    if (!feed.isKnown) await feed.read(!isInProgress(job), this.ending.signal);
    signal.throwIfAborted();
    return feed;
  }

  /** Returns the progress of any job, based on its complete log. Throws `FleetError`. */
  async progress(id: string, signal: AbortSignal): Promise<TrainingProgress> {
    const job = this.job(id);
    const feed = this.getFeed(job.id);
    if (feed.isOpen) await feed.read(!isInProgress(job), this.ending.signal);
    signal.throwIfAborted();
    if (feed.failure) throw feed.failure;
    return feed.follower.progress;
  }

  private getFeed(id: TrainingJobId): JobLogFeed {
    const known = this.feeds.get(id);
    if (known) return known;
    const made = new JobLogFeed((token, signal) => this.stores.training.logs(id, token, signal));
    this.feeds.set(id, made);
    return made;
  }

  private async readLogs(): Promise<void> {
    if (!this.hold) return;
    const followed = this.read?.jobs.filter(({ id }) => this.isFollowed(id)) ?? [];
    await Promise.all(followed.map((job) => this.readLog(job)));
  }

  private async readLog(job: TrainingJob): Promise<void> {
    const feed = this.getFeed(job.id);
    if (!feed.isOpen) return;
    const hasNew = await feed.read(!isInProgress(job), this.ending.signal);
    if (!hasNew || this.isDisposed) return;
    // A job can log continuously, so a poll with new lines must not immediately trigger the next
    // poll.
    this.options.watches.of(this.target).resetPollInterval();
    this.logChanged.fire(job.id);
  }

  private async readAll(fresh: boolean, signal: AbortSignal): Promise<ReadJobs> {
    const { stores, target } = this;
    const { organizationId } = target;
    const [organization, jobs, datasets] = await Promise.all([
      stores.organizations.get(organizationId, { signal }),
      this.readJobs(stores, fresh),
      stores.datasets.listVisible(organizationId, { fresh, signal }),
    ]);
    signal.throwIfAborted();
    const names = new Map(datasets.map(({ id, name }) => [id, name]));
    return { organization: organization.name, jobs, datasets: names };
  }

  private async readJobs(stores: FleetStores, fresh: boolean): Promise<readonly TrainingJob[]> {
    try {
      if (fresh) return await this.options.watches.of(this.target).poll();
      if (this.failure !== undefined) throw toFleetError(this.failure);
      return await stores.training.list(this.target.organizationId);
    } catch (error) {
      const isDenied = error instanceof FleetError && error.kind === 'permission';
      if (isDenied) await this.options.requireRight(stores, this.target);
      throw error;
    }
  }

  private onDidPoll(jobs: readonly TrainingJob[]): void {
    const hadFailed = this.failure !== undefined;
    this.failure = undefined;
    const before = this.lastPolled ?? this.read?.jobs ?? jobs;
    this.lastPolled = jobs;
    const isOther = JSON.stringify(before) !== JSON.stringify(jobs);
    if (hadFailed || isOther) this.changed.fire();
    void this.readLogs();
  }

  private failed(error: unknown): void {
    const isSame = String(this.failure) === String(error);
    this.failure = error;
    if (!isSame) this.changed.fire();
  }

  private subscribe(stores: FleetStores): void {
    const { watches } = this.options;
    const { organizationId } = this.target;
    this.register(
      stores.training.onDidChange(({ all, parents }) => {
        if (!all && !parents.includes(organizationId)) return;
        watches.of(this.target).pollSoon();
        this.changed.fire();
      }),
    );
    this.register(
      stores.organizations.onDidChange(({ all, ids, removed }) => {
        const isThis = ids.includes(organizationId) || removed.includes(organizationId);
        if (all || isThis) this.changed.fire();
      }),
    );
    this.register(
      stores.datasets.onDidChange(({ all, parents }) => {
        if (all || parents.includes(organizationId)) this.changed.fire();
      }),
    );
    this.register(stores.access.onDidChange(() => this.changed.fire()));
    this.register(stores.onDidSignIn(() => this.reset()));
    this.register(stores.onDidSignOut(() => this.reset()));
  }

  /** Discards the loaded state after the user has signed in or out. */
  private reset(): void {
    this.failure = undefined;
    this.lastPolled = undefined;
    this.feeds.clear();
    this.changed.fire();
  }
}

/** One job's log, with its loading state and error. */
export class JobLogFeed {
  readonly follower: TrainingLogReader;
  private problem: FleetError | undefined;
  private reading: Promise<boolean> | undefined;
  private isRead = false;
  private isWhole = false;

  constructor(read: ReadLogPage) {
    this.follower = new TrainingLogReader(read);
  }

  /** Error in the last read, if any. */
  get failure(): FleetError | undefined {
    return this.problem;
  }

  /** True if more lines can follow. False if the log has been read after the job ended. */
  get isOpen(): boolean {
    return this.problem ? this.problem.kind !== 'unsupported' : !this.isWhole;
  }

  /** True if the log has been read or if reading it has failed. */
  get isKnown(): boolean {
    return this.isRead || this.problem !== undefined;
  }

  /**
   * Reads new lines, or joins the read in progress. Never throws.
   * @param hasEnded true if the job no longer logs lines, so that this read completes the log
   * @returns true if there is new content to show
   */
  read(hasEnded: boolean, signal: AbortSignal): Promise<boolean> {
    this.reading ??= this.readOn(hasEnded, signal).finally(() => (this.reading = undefined));
    return this.reading;
  }

  private async readOn(hasEnded: boolean, signal: AbortSignal): Promise<boolean> {
    const wasKnown = this.isKnown;
    const before = this.problem?.message;
    try {
      const came = await this.follower.read(signal);
      this.problem = undefined;
      this.isRead = true;
      this.isWhole = hasEnded && !this.follower.hasMore;
      return came > 0 || !wasKnown || before !== undefined;
    } catch (error) {
      this.problem = toFleetError(error);
      return this.problem.message !== before;
    }
  }
}
