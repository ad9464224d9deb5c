import { Disposable, DisposableSet } from '../../../base/disposable';
import type { ConnectionId } from '../../../core/model/ids';
import type { FleetStores } from '../../../core/stores/fleetStores';
import type { SessionProvider } from '../../platform/sessionProvider';
import type { PartAddress } from '../../platform/partDocument';

type Refresh = (isAffected: (address: PartAddress) => boolean) => void;

/** Reports outdated resolved configs for each connection that has an open one. */
export class StoreSubscriber extends Disposable {
  private readonly followed = new Map<ConnectionId, FleetStores>();
  private readonly subscriptions = new Map<FleetStores, DisposableSet>();

  constructor(
    private readonly sessions: SessionProvider,
    private readonly refresh: Refresh,
  ) {
    super();
    // Signing in again creates new stores.
    this.register(
      sessions.onDidChangeConnections(() => {
        for (const id of this.followed.keys()) this.subscribe(id);
      }),
    );
  }

  subscribe(id: ConnectionId): void {
    const stores = this.sessions.connection(id) && this.sessions.stores(id);
    const known = this.followed.get(id);
    if (known === stores) return;
    if (known) this.leave(known);
    this.followed.delete(id);
    if (!stores) return;
    this.followed.set(id, stores);
    const set = this.register(new DisposableSet());
    this.subscriptions.set(stores, set);
    set.add(
      stores.parts.onDidChange(({ all, ids }) =>
        this.refresh(
          ({ connectionId, subject }) => connectionId === id && (all || ids.includes(subject.id)),
        ),
      ),
    );
    // The parts that use a fragment might have changed too, so all resolved configs of the
    // connection are refreshed.
    set.add(
      stores.fragments.onDidChange(() => this.refresh(({ connectionId }) => connectionId === id)),
    );
  }

  private leave(stores: FleetStores): void {
    const set = this.subscriptions.get(stores);
    if (set) this.release(set);
    this.subscriptions.delete(stores);
  }
}
