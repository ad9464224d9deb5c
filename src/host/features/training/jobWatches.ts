import { Disposable } from '../../../base/disposable';
import { Emitter } from '../../../base/emitter';
import type { ConnectionId, OrganizationId } from '../../../core/model/ids';
import type { TrainingJob } from '../../../core/model/trainingJob';
import type { Sleep } from '../../../core/ports';
import { JobWatch } from '../../../core/training/jobWatch';
import type { SessionProvider } from '../../platform/sessionProvider';

/** Connection and organization of jobs. */
export interface JobScope {
  readonly connectionId: ConnectionId;
  readonly organizationId: OrganizationId;
}

/** Polled jobs of an organization. */
export interface PolledJobs {
  readonly place: JobScope;
  readonly jobs: readonly TrainingJob[];
}

/** Failed poll of an organization's jobs. */
export interface FailedPoll {
  readonly place: JobScope;
  readonly error: unknown;
}

/** Shared poller for the training jobs of each organization in this window. */
export class JobWatches extends Disposable {
  private readonly watches = new Map<string, JobWatch>();
  private readonly looked = this.register(new Emitter<PolledJobs>());
  readonly onDidLook = this.looked.event;
  private readonly failed = this.register(new Emitter<FailedPoll>());
  /** Fires when an automatic poll fails; polling continues. */
  readonly onDidFail = this.failed.event;

  constructor(
    private readonly sessions: SessionProvider,
    private readonly sleep: Sleep,
  ) {
    super();
    this.register(
      sessions.onDidChangeConnections(() => this.watches.forEach((watch) => watch.hasten())),
    );
  }

  of({ connectionId, organizationId }: JobScope): JobWatch {
    const key = `${connectionId} ${organizationId}`;
    return this.watches.get(key) ?? this.make(key, { connectionId, organizationId });
  }

  private make(key: string, place: JobScope): JobWatch {
    const { connectionId, organizationId } = place;
    const watch = new JobWatch({
      // A signed-out connection has no stores to read from.
      read: async (signal) => {
        const { training } = this.sessions.stores(connectionId);
        return training.list(organizationId, { fresh: true, signal });
      },
      sleep: this.sleep,
    });
    this.watches.set(key, this.register(watch));
    this.register(watch.onDidLook((jobs) => this.looked.fire({ place, jobs })));
    this.register(watch.onDidFail((error) => this.failed.fire({ place, error })));
    return watch;
  }
}
