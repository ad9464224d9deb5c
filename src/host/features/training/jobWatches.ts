import { Disposable } from '../../../base/disposable';
import { Emitter } from '../../../base/emitter';
import type { ConnectionId, OrganizationId } from '../../../core/model/ids';
import type { TrainingJob } from '../../../core/model/trainingJob';
import type { Sleep } from '../../../core/ports';
import { JobWatch } from '../../../core/training/jobWatch';
import type { SessionProvider } from '../../platform/sessionProvider';

/** Where jobs are. */
export interface JobPlace {
  readonly connectionId: ConnectionId;
  readonly organizationId: OrganizationId;
}

/** The jobs of an organization as they were looked at. */
export interface LookedAt {
  readonly place: JobPlace;
  readonly jobs: readonly TrainingJob[];
}

/** A look at the jobs of an organization that failed. */
export interface FailedLook {
  readonly place: JobPlace;
  readonly error: unknown;
}

/** One watch of the training jobs for each organization in this window, shared by all who need it. */
export class JobWatches extends Disposable {
  private readonly watches = new Map<string, JobWatch>();
  private readonly looked = this.register(new Emitter<LookedAt>());
  readonly onDidLook = this.looked.event;
  private readonly failed = this.register(new Emitter<FailedLook>());
  /** A look by itself has failed; there are more to come. */
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

  of({ connectionId, organizationId }: JobPlace): JobWatch {
    const key = `${connectionId} ${organizationId}`;
    return this.watches.get(key) ?? this.make(key, { connectionId, organizationId });
  }

  private make(key: string, place: JobPlace): JobWatch {
    const { connectionId, organizationId } = place;
    const watch = new JobWatch({
      // Signed out, there are no stores to ask.
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
