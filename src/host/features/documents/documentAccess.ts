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
  /** Fires when the roles of a connection's key have changed. */
  readonly onDidChange = this.changed.event;

  constructor(private readonly sessions: SessionProvider) {
    super();
    this.register({ dispose: () => this.followed.forEach((one) => one.dispose()) });
  }

  /**
   * Returns true if the key can save the document or if its permissions are unknown. Never fails.
   */
  async mayChange({ connectionId, subject }: DocumentAddress): Promise<boolean> {
    // Without its connection, the document can't be read either, and the error of that read is more
    // specific.
    if (!this.sessions.connection(connectionId)) return true;
    const stores = this.sessions.stores(connectionId);
    this.subscribe(connectionId, stores);
    return mayChangeDocument(stores, subject);
  }

  private subscribe(id: ConnectionId, stores: FleetStores): void {
    if (this.followed.has(stores)) return;
    const following = stores.access.onDidChange(() => this.changed.fire(id));
    this.followed.set(stores, following);
  }
}
