import { Disposable, DisposableSet } from '../../../base/disposable';
import type { SessionProvider } from '../../platform/sessionProvider';
import type { AwaitedJob } from './awaitedJobs';

/**
 * Reports jobs that are submitted or canceled in this window, from any view or command. A panel can
 * belong to a connection other than the active one.
 */
export class Submissions extends Disposable {
  private following = this.register(new DisposableSet());

  constructor(
    private readonly sessions: SessionProvider,
    private readonly submitted: (job: AwaitedJob) => void,
  ) {
    super();
    this.register(sessions.onDidChangeConnections(() => this.subscribe()));
    this.subscribe();
  }

  private subscribe(): void {
    this.release(this.following);
    this.following = this.register(new DisposableSet());
    for (const { id: connectionId } of this.sessions.connections) {
      const { training } = this.sessions.stores(connectionId);
      this.following.add(
        training.onDidChange(({ ids, parents }) => {
          for (const organizationId of parents) {
            for (const jobId of ids) this.submitted({ connectionId, organizationId, jobId });
          }
        }),
      );
    }
  }
}
