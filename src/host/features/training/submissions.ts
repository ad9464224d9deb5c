import { Disposable } from '../../../base/disposable';
import type { ConnectionId } from '../../../core/model/ids';
import type { SessionProvider } from '../../platform/sessionProvider';
import type { AwaitedJob } from './awaitedJobs';

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
