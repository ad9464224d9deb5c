import { Disposable, type DisposableLike } from '../../../base/disposable';
import { Emitter } from '../../../base/emitter';
import { mayChangeDocument } from '../../../core/documents/mayChangeDocument';
import type { DocumentAddress } from '../../../core/documents/documentAddress';
import type { ConnectionId } from '../../../core/model/ids';
import type { FleetStores } from '../../../core/stores/fleetStores';
import type { SessionProvider } from '../../platform/sessionProvider';

/** Determines which documents the keys of this window can save. */
export class DocumentAccess extends Disposable {
  private readonly followed = new Map<FleetStores, DisposableLike>();
  private readonly changed = this.register(new Emitter<ConnectionId>());
  /** Roles of the key of a connection have changed. */
  readonly onDidChange = this.changed.event;

  constructor(private readonly sessions: SessionProvider) {
    super();
    this.register({ dispose: () => this.followed.forEach((one) => one.dispose()) });
  }

  /** Never fails: what is not known may be tried. */
  async mayChange({ connectionId, subject }: DocumentAddress): Promise<boolean> {
    // Without its connection a document cannot be read either, which says more.
    if (!this.sessions.connection(connectionId)) return true;
    const stores = this.sessions.stores(connectionId);
    this.follow(connectionId, stores);
    return mayChangeDocument(stores, subject);
  }

  private follow(id: ConnectionId, stores: FleetStores): void {
    if (this.followed.has(stores)) return;
    const following = stores.access.onDidChange(() => this.changed.fire(id));
    this.followed.set(stores, following);
  }
}
