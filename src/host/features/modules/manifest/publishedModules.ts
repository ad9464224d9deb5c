import { Disposable } from '../../../../base/disposable';
import { Emitter, filterEvent } from '../../../../base/emitter';
import type { FleetCatalog } from '../../../../core/configChecks/fleetCatalog';
import type { ConnectionId } from '../../../../core/model/ids';
import type { RegistryItem } from '../../../../core/model/registryItem';
import type { SessionProvider } from '../../../platform/sessionProvider';

/**
 * Modules in the registry of the active connection. Each one is read once until the registry
 * changes, so that edits of a manifest cause no calls.
 */
export class PublishedModules extends Disposable {
  private readonly catalogs = new Map<ConnectionId, Promise<FleetCatalog>>();
  private readonly changed = this.register(new Emitter<void>());
  /** Fires when `read` can have other results than before. */
  readonly onDidChange = this.changed.event;

  constructor(private readonly sessions: SessionProvider) {
    super();
    this.register(sessions.onDidChangeActive(() => this.changed.fire()));
  }

  /**
   * Returns a module; undefined without a connection, if the module doesn't exist, or if it can't be
   * read.
   */
  async read(moduleId: string): Promise<RegistryItem | undefined> {
    const id = this.sessions.active?.id;
    if (id === undefined || this.isDisposed) return undefined;
    const known = this.catalogs.get(id) ?? this.open(id);
    this.catalogs.set(id, known);
    const item = (await (await known).module(moduleId))?.value;
    return item?.type === 'module' ? item : undefined;
  }

  private async open(id: ConnectionId): Promise<FleetCatalog> {
    const { FleetCatalog } = await import('../../../../core/configChecks/fleetCatalog');
    const stores = this.sessions.lastingStores(id);
    const onDidRecover = filterEvent(this.sessions.onDidRecover, (other) => other === id);
    const catalog = this.register(new FleetCatalog(stores, onDidRecover));
    this.register(onDidRecover(() => this.changed.fire()));
    this.register(stores.registry.onDidChange(() => this.changed.fire()));
    return catalog;
  }
}
