import type { Clock } from '../../../../base/clock';
import { Disposable } from '../../../../base/disposable';
import { Emitter } from '../../../../base/emitter';
import { FleetError, toFleetError } from '../../../../core/api/errors';
import type { PackageFileInfo } from '../../../../core/model/registryPackage';
import type { RegistryItem } from '../../../../core/model/registryItem';
import type { RegistryItemTarget } from '../../../../core/model/resourceTarget';
import type { FleetStores } from '../../../../core/stores/fleetStores';
import type { RegistryChange } from '../../../../core/stores/registryStore';
import { accessLossKinds } from '../../../../shared/accessLoss';
import type { SessionProvider } from '../../../platform/sessionProvider';

/** Age in milliseconds after which a page reloads its item when it is shown again. */
const MAX_AGE_MS = 5_000;

export interface ItemSessionOptions {
  readonly sessions: SessionProvider;
  readonly clock: Clock;
  /** Returns the message for an item that doesn't exist or isn't accessible. */
  readonly deletedMessage: () => string;
}

/** Registry item and its owner. */
export interface OwnedItem {
  readonly item: RegistryItem;
  /** Name of the item's organization; undefined if the key has no access to that organization. */
  readonly owner: string | undefined;
}

export interface ReadItem extends OwnedItem {
  /** Time of the request, in milliseconds since 1970. */
  readonly readAt: number;
}

/** A version's archive and its reader. */
interface ItemArchive {
  readonly registry: FleetStores['registry'];
  readonly info: PackageFileInfo;
}

/** Registry item of one page, independent of webviews. */
export class ItemSession extends Disposable {
  private readonly changedEmitter = this.register(new Emitter<void>());
  /** Fires when the item or its accessibility might have changed. */
  readonly onDidChange = this.changedEmitter.event;
  private read: ReadItem | undefined;
  /** True if the last read failed, so that the next one must call the service. */
  private hasFailed = false;
  /** Time of the last read, even if it failed. */
  private triedAt: number | undefined;

  constructor(
    readonly target: RegistryItemTarget,
    private readonly options: ItemSessionOptions,
  ) {
    super();
    const stores = options.sessions.lastingStores(target.connectionId);
    this.register(stores.access.onDidChange(() => this.changedEmitter.fire()));
    this.register(stores.onDidSignIn(() => this.changedEmitter.fire()));
    this.register(stores.onDidSignOut(() => this.changedEmitter.fire()));
    this.register(
      stores.registry.onDidChange((change) => {
        if (this.concerns(change)) this.changedEmitter.fire();
      }),
    );
  }

  /** Item from the last successful read. */
  get current(): RegistryItem | undefined {
    return this.read?.item;
  }

  /** True if the last read is stale, so the item might have changed. */
  get isOld(): boolean {
    return this.triedAt !== undefined && this.now - this.triedAt > MAX_AGE_MS;
  }

  /** Fires `onDidChange` if the item is stale. Called when the page is shown again. */
  refreshIfOld(): void {
    if (this.isOld) this.changedEmitter.fire();
  }

  /**
   * Reads the item. Throws `unauthenticated` if the connection is signed out, and `notFound` if the
   * item was deleted. The first read always calls the service, because cached data can be
   * arbitrarily old.
   * @param fresh true to call the service even if the item is cached
   */
  async load(fresh: boolean, signal: AbortSignal): Promise<ReadItem> {
    try {
      const before = this.read;
      this.read = await this.readAll(fresh || !before || this.hasFailed, signal);
      this.hasFailed = false;
      if (this.read.readAt !== before?.readAt) this.triedAt = this.now;
      return this.read;
    } catch (error) {
      if (!signal.aborted) {
        // After any other error, the page still shows the item and offers its actions.
        if (accessLossKinds.has(toFleetError(error).kind)) this.read = undefined;
        this.hasFailed = true;
        this.triedAt = this.now;
      }
      throw error;
    }
  }

  /**
   * Returns the metadata of the item's archives; empty for items from other organizations, because
   * the wire protocol doesn't provide their metadata.
   */
  async files(signal: AbortSignal): Promise<readonly PackageFileInfo[]> {
    const { read, stores } = this;
    if (read?.owner === undefined) return [];
    const { organizationId, name, type } = read.item;
    const filter = { name, ...(type !== 'unknown' && { type }) };
    return stores.registry.packages(organizationId, filter, signal);
  }

  /**
   * Returns a version's archive and its reader. Throws `FleetError`, for example if the version was
   * deleted.
   */
  async archive(version: string, signal: AbortSignal): Promise<ItemArchive> {
    const { registry } = this.stores;
    const item = this.current ?? (await registry.get(this.target.itemId, { signal }));
    return { registry, info: await registry.package(item, version, undefined, signal) };
  }

  private get now(): number {
    return this.options.clock.now().getTime();
  }

  private get stores(): FleetStores {
    return this.options.sessions.stores(this.target.connectionId);
  }

  private async readAll(fresh: boolean, signal: AbortSignal): Promise<ReadItem> {
    const { stores, now, read: before } = this;
    const [item, organizations] = await Promise.all([
      this.readItem(stores, fresh, signal),
      stores.organizations.list({ signal }),
    ]);
    const owner = organizations.find(({ id }) => id === item.organizationId)?.name;
    return { item, owner, readAt: item === before?.item ? before.readAt : now };
  }

  private async readItem(
    { registry }: FleetStores,
    fresh: boolean,
    signal: AbortSignal,
  ): Promise<RegistryItem> {
    try {
      return await registry.get(this.target.itemId, { fresh, signal });
    } catch (error) {
      if (!(error instanceof FleetError) || error.kind !== 'notFound') throw error;
      throw new FleetError('notFound', this.options.deletedMessage(), { cause: error });
    }
  }

  /**
   * Returns true if a change affects the item. An item has two IDs if its organization has a
   * namespace; in this case, a change reports only the organization.
   */
  private concerns({ all, ids, removed, parents }: RegistryChange): boolean {
    const { itemId, organizationId } = this.target;
    return (
      all || ids.includes(itemId) || removed.includes(itemId) || parents.includes(organizationId)
    );
  }
}
