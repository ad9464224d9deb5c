import { Disposable } from '../../../base/disposable';
import { Emitter } from '../../../base/emitter';
import type { ConnectionId, OrganizationId } from '../../../core/model/ids';
import type { TrainingJob } from '../../../core/model/trainingJob';
import type { Sleep } from '../../../core/ports';
import { JobWatch } from '../../../core/training/jobWatch';
import type { SessionProvider } from '../../platform/sessionProvider';
import type { AwaitedJob } from './awaitedJobs';

/** Connection and organization of jobs. */
export interface JobScope {
  readonly connectionId: ConnectionId;
  readonly organizationId: OrganizationId;
}

/** Polled jobs of an organization. */
export interface PolledJobs {
  readonly scope: JobScope;
  readonly jobs: readonly TrainingJob[];
}

/** Failed poll for an organization's jobs. */
export interface FailedPoll {
  readonly scope: JobScope;
  readonly error: unknown;
}

/** Shared poller for the training jobs of each organization in this window. */
export class JobWatches extends Disposable {
  private readonly watches = new Map<string, JobWatch>();
  private readonly polled = this.register(new Emitter<PolledJobs>());
  readonly onDidPoll = this.polled.event;
  private readonly failed = this.register(new Emitter<FailedPoll>());
  /** Fires when an automatic poll fails; polling continues. */
  readonly onDidFail = this.failed.event;

  constructor(
    private readonly sessions: SessionProvider,
    private readonly sleep: Sleep,
  ) {
    super();
    this.register(
      sessions.onDidChangeConnections(() => this.watches.forEach((watch) => watch.pollSoon())),
    );
  }

  of({ connectionId, organizationId }: JobScope): JobWatch {
    const key = `${connectionId} ${organizationId}`;
    return this.watches.get(key) ?? this.make(key, { connectionId, organizationId });
  }

  private make(key: string, scope: JobScope): JobWatch {
    const { connectionId, organizationId } = scope;
    const watch = new JobWatch({
      // A signed-out connection has no stores to read from.
      read: async (signal) => {
        const { training } = this.sessions.stores(connectionId);
        return training.list(organizationId, { fresh: true, signal });
      },
      sleep: this.sleep,
    });
    this.watches.set(key, this.register(watch));
    this.register(watch.onDidPoll((jobs) => this.polled.fire({ scope, jobs })));
    this.register(watch.onDidFail((error) => this.failed.fire({ scope, error })));
    return watch;
  }
}

/**
 * Reports jobs that are submitted or canceled in this window, from any view or command. A panel can
 * belong to a connection other than the active one.
 */
export class Submissions extends Disposable {
  private readonly followed = new Set<ConnectionId>();

  constructor(
    private readonly sessions: SessionProvider,
    private readonly submitted: (job: AwaitedJob) => void,
  ) {
    super();
    this.register(sessions.onDidChangeConnections(() => this.subscribe()));
    this.subscribe();
  }

  private subscribe(): void {
    const added = this.sessions.connections.filter(({ id }) => !this.followed.has(id));
    for (const { id: connectionId } of added) {
      this.followed.add(connectionId);
      const { training } = this.sessions.lastingStores(connectionId);
      this.register(
        training.onDidChange(({ ids, parents }) => {
          for (const organizationId of parents) {
            for (const jobId of ids) this.submitted({ connectionId, organizationId, jobId });
          }
        }),
      );
    }
  }
}
