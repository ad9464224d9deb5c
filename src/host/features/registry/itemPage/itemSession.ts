import type { Clock } from '../../../../base/clock';
import { Disposable, DisposableSet } from '../../../../base/disposable';
import { Emitter } from '../../../../base/emitter';
import { FleetError } from '../../../../core/api/errors';
import type { PackageFileInfo } from '../../../../core/model/packageFile';
import type { RegistryItem } from '../../../../core/model/registryItem';
import type { RegistryItemTarget } from '../../../../core/model/resourceTarget';
import type { FleetStores } from '../../../../core/stores/fleetStores';
import type { RegistryChange } from '../../../../core/stores/registryStore';
import type { SessionProvider } from '../../../platform/sessionProvider';

/** Age from which a page that is looked at again reads its item again. */
const MAX_AGE_MS = 5_000;

export interface ItemSessionOptions {
  readonly sessions: SessionProvider;
  readonly clock: Clock;
  /** Says that there is no such item, or none that the key may see. */
  readonly goneText: () => string;
}

/** A registry item, and whose it is. */
export interface OwnedItem {
  readonly item: RegistryItem;
  /** The name of its organization; undefined where that is none of the key's. */
  readonly owner: string | undefined;
}

export interface ReadItem extends OwnedItem {
  /** The time when the service was asked for it, in milliseconds since 1970. */
  readonly readAt: number;
}

/** An archive of a version, and what reads it. */
interface ItemArchive {
  readonly registry: FleetStores['registry'];
  readonly info: PackageFileInfo;
}

/** The registry item that one page shows. Knows nothing of webviews. */
export class ItemSession extends Disposable {
  private readonly changedEmitter = this.register(new Emitter<void>());
  /** The item may be another by now, or may not be read any more, or again. */
  readonly onDidChange = this.changedEmitter.event;
  private known: FleetStores | undefined;
  private following = this.register(new DisposableSet());
  private read: ReadItem | undefined;
  /** The time of the last read, also of one that failed. */
  private triedAt: number | undefined;

  constructor(
    readonly target: RegistryItemTarget,
    private readonly options: ItemSessionOptions,
  ) {
    super();
    this.register(
      options.sessions.onDidChangeConnections(() => {
        if (this.follow()) this.changedEmitter.fire();
      }),
    );
    this.follow();
  }

  /** The item as it was read last. */
  get current(): RegistryItem | undefined {
    return this.read?.item;
  }

  /** Returns true when the item was read so long ago that it may have changed since. */
  get isOld(): boolean {
    return this.triedAt !== undefined && this.now - this.triedAt > MAX_AGE_MS;
  }

  /** Fires `onDidChange` if the item is old when the page is shown again. */
  refreshIfOld(): void {
    if (this.isOld) this.changedEmitter.fire();
  }

  /**
   * Reads the item. Throws `unauthenticated` while it is signed out, and `notFound` when it is no more.
   * The first read always runs on the service: what others have cached may be of any age.
   * @param fresh asks the service also where the answer is known
   */
  async load(fresh: boolean, signal: AbortSignal): Promise<ReadItem> {
    try {
      const before = this.read;
      this.read = await this.readAll(fresh || !before, signal);
      if (this.read.readAt !== before?.readAt) this.triedAt = this.now;
      return this.read;
    } catch (error) {
      // What a page shows stays while it is read again, but not when it cannot be read.
      if (!signal.aborted) {
        this.read = undefined;
        this.triedAt = this.now;
      }
      throw error;
    }
  }

  /** What is told of the archives of the item. Nothing of items of others: the wire does not tell it. */
  async files(signal: AbortSignal): Promise<readonly PackageFileInfo[]> {
    const { read, stores } = this;
    if (read?.owner === undefined) return [];
    const { organizationId, name, type } = read.item;
    const filter = { name, ...(type !== 'unknown' && { type }) };
    return stores.registry.packages(organizationId, filter, signal);
  }

  /** The archive of a version, and what reads it. Throws `FleetError`, as when it is gone. */
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
      throw new FleetError('notFound', this.options.goneText(), { cause: error });
    }
  }

  /** Listens to the stores of the connection. @returns whether they are others. */
  private follow(): boolean {
    const { sessions } = this.options;
    const isSignedIn = sessions.connection(this.target.connectionId) !== undefined;
    const stores = isSignedIn ? this.stores : undefined;
    if (stores === this.known) return false;
    this.known = stores;
    this.release(this.following);
    this.following = this.register(new DisposableSet());
    if (stores) {
      this.following.add(
        stores.registry.onDidChange((change) => {
          if (this.concerns(change)) this.changedEmitter.fire();
        }),
      );
    }
    return true;
  }

  /** An item goes by two ids where its organization has a namespace: then only the organization is told. */
  private concerns({ all, ids, removed, parents }: RegistryChange): boolean {
    const { itemId, organizationId } = this.target;
    return (
      all || ids.includes(itemId) || removed.includes(itemId) || parents.includes(organizationId)
    );
  }
}
