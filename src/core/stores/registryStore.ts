import type { PackageType } from '../../gen/viam/app/packages/v1/packages_pb';
import { required, withSignal } from '../api/calls';
import type { ContentRequest, ContentStream, ReadContent } from '../api/contentStream';
import { FleetError, isCanceled } from '../api/errors';
import type { LoadClients } from '../api/fleetClients';
import type { UploadOptions } from '../data/uploads/streamContent';
import { type OrganizationId, type RegistryItemId, registryItemId } from '../model/ids';
import { inNameOrder } from '../model/nameOrder';
import { type PackageFileInfo, packageFileFromWire } from '../model/packageFile';
import { registryItemFromWire } from '../model/registryFromWire';
import type { KnownItemType, RegistryItem } from '../model/registryItem';
import { ITEM_STATUSES, ITEM_TYPES } from '../model/registryWire';
import {
  type ItemUpdate,
  itemUpdateRequest,
  type ModuleUpdate,
  moduleUpdateRequest,
  type PackageFilter,
  packagesRequest,
  type RegistrySearch,
  searchRequest,
} from './registryRequests';
import {
  type ModuleUpload,
  type PackageUpload,
  sendModule,
  sendPackage,
  type UploadedPackage,
} from './registryUploads';
import { ListStore } from './listStore';
import { ResourceCache } from './resourceCache';
import type { ReadOptions, StoreChange } from './storeChange';
import { whenGone } from './whenGone';

export type RegistryChange = StoreChange<RegistryItemId, OrganizationId>;

/** What of an item names it in every call. */
export type RegistryItemKey = Pick<RegistryItem, 'id' | 'organizationId'>;

/** What of an item names its packages. */
export type PackageKey = Pick<RegistryItem, 'organizationId' | 'name' | 'type'>;

export interface RegistryPage {
  readonly items: readonly RegistryItem[];
  /**
   * What to go on after for the next page; a page without items is past the end. Services may answer
   * everything at once, and do not say so.
   */
  readonly next: RegistryItemId | undefined;
}

/**
 * Modules, models, training scripts and other packages, with the archives of their versions: those of an
 * organization in one list, and public ones. Every method throws `FleetError`.
 */
export class RegistryStore extends ListStore<RegistryItem, OrganizationId> {
  private readonly items = new ResourceCache<RegistryItemId, RegistryItem>();

  /** @param contentReader answers undefined where contents cannot be read. */
  constructor(
    clients: LoadClients,
    private readonly contentReader: () => ReadContent | undefined,
  ) {
    super(clients);
  }

  /** What an organization publishes, of every type, in name order, with how far each is. */
  list(organization: OrganizationId, options: ReadOptions = {}): Promise<readonly RegistryItem[]> {
    return this.lists.get(
      organization,
      async (signal) => {
        const { app } = await this.clients();
        const [answer, inDevelopment] = await Promise.all([
          app.listRegistryItems(
            { organizationId: organization, showOwnedDeprecated: true },
            { signal },
          ),
          this.inDevelopment(organization, signal),
        ]);
        const items = answer.items.map(registryItemFromWire);
        return inNameOrder(
          items.map((item): RegistryItem => ({
            ...item,
            status: inDevelopment && (inDevelopment.has(item.id) ? 'inDevelopment' : 'published'),
          })),
        );
      },
      options,
    );
  }

  /** An item whole, with its descriptions. Throws `notFound` when the key may not read it, too. */
  get(id: RegistryItemId, options: ReadOptions = {}): Promise<RegistryItem> {
    return this.items.get(
      id,
      async (signal) => {
        const { app } = await this.clients();
        const answer = await app.getRegistryItem(
          { itemId: id, includeMarkdownDocumentation: true },
          { signal },
        );
        return registryItemFromWire(required(answer.item, 'the registry item'));
      },
      options,
    );
  }

  /** Items of all organizations that the key may see, in name order. */
  async search(ask: RegistrySearch, signal?: AbortSignal): Promise<RegistryPage> {
    const { app } = await this.clients();
    const answer = await app.listRegistryItems(searchRequest(ask), withSignal(signal));
    const items = answer.items.map(registryItemFromWire);
    return { items, next: items.at(-1)?.id };
  }

  /** Registers the name of a module, which is private. @returns its id and the address of its page. */
  async createModule(
    organization: OrganizationId,
    name: string,
  ): Promise<{ readonly id: RegistryItemId; readonly url: string }> {
    const { app } = await this.clients();
    const answer = await app.createModule({ organizationId: organization, name });
    const id = registryItemId(answer.moduleId);
    this.fire({ ids: [id], parents: [organization] });
    return { id, url: answer.url };
  }

  /** Replaces all that is said about a module. @returns the address of its page. */
  async updateModule(
    { id, organizationId }: RegistryItemKey,
    update: ModuleUpdate,
    signal?: AbortSignal,
  ): Promise<{ readonly url: string }> {
    const { app } = await this.clients();
    const parents = [organizationId];
    const request = moduleUpdateRequest(id, update);
    const answer = await whenGone(app.updateModule(request, withSignal(signal)), () =>
      this.fire({ parents }),
    );
    this.fire({ ids: [id], parents });
    return { url: answer.url };
  }

  /** Registers the name of an item, which is private. The wire does not tell its id. */
  async createItem(organization: OrganizationId, name: string, type: KnownItemType): Promise<void> {
    const { app } = await this.clients();
    const request = { organizationId: organization, name, type: ITEM_TYPES[type] };
    await app.createRegistryItem(request);
    this.fire({ parents: [organization] });
  }

  /**
   * Changes what is said about an item of whatever type; what the update leaves out stays. Throws
   * `unsupported` where the visibility that is to stay is not known here.
   */
  async updateItem({ id, organizationId }: RegistryItemKey, update: ItemUpdate): Promise<void> {
    const { app } = await this.clients();
    const parents = [organizationId];
    const change = async (): Promise<void> => {
      // The wire wants the visibility and more with every update: what it is now, not what somebody read.
      const current = await this.get(id, { fresh: true });
      await app.updateRegistryItem(itemUpdateRequest(current, update));
    };
    await whenGone(change(), () => this.fire({ parents }));
    this.fire({ ids: [id], parents });
  }

  /** Throws `conflict` while configs name the item; the message names them. */
  async delete({ id, organizationId }: RegistryItemKey): Promise<void> {
    const { app } = await this.clients();
    const parents = [organizationId];
    await whenGone(app.deleteRegistryItem({ itemId: id }), () => this.fire({ parents }));
    this.fire({ removed: [id], parents });
  }

  /** Deletes a version for all platforms. Throws `conflict` while configs name it. */
  async deleteVersion(item: RegistryItemKey & PackageKey, version: string): Promise<void> {
    const { packages } = await this.clients();
    const parents = [item.organizationId];
    const request = { id: packageIdOf(item), version, type: typeNumber(item) };
    await whenGone(packages.deletePackage(request), () => this.fire({ parents }));
    this.fire({ ids: [item.id], parents });
  }

  /** The archives of an organization's items, with the addresses where they are read: one call. */
  async packages(
    organization: OrganizationId,
    filter: PackageFilter = {},
    signal?: AbortSignal,
  ): Promise<readonly PackageFileInfo[]> {
    const { packages } = await this.clients();
    const answer = await packages.listPackages(
      packagesRequest(organization, filter),
      withSignal(signal),
    );
    return answer.packages.map(packageFileFromWire);
  }

  /**
   * The archive of a version that a platform runs, of own and public items, with its address.
   * @param platform absent for whichever.
   */
  async package(
    item: PackageKey,
    version: string,
    platform?: string,
    signal?: AbortSignal,
  ): Promise<PackageFileInfo> {
    const { packages } = await this.clients();
    const answer = await packages.getPackage(
      {
        id: packageIdOf(item),
        version,
        includeUrl: true,
        type: typeNumber(item),
        ...(platform !== undefined && { platform }),
      },
      withSignal(signal),
    );
    return packageFileFromWire(required(answer.package, 'the package'));
  }

  /** The bytes of an archive of any size as they come in, or what is missing of them. */
  async content(
    { url }: Pick<PackageFileInfo, 'url'>,
    request: ContentRequest = {},
  ): Promise<ContentStream> {
    const read = this.contentReader();
    if (read) return read(url, request);
    throw new FleetError('unsupported', "Archives can't be read over this connection.");
  }

  /**
   * Uploads an archive of a module: all of it is there afterwards, or nothing. Throws `invalid` when the
   * version has one for the platform, and what reading the content throws.
   * @returns the address where the archive is read.
   */
  async uploadModule(
    upload: ModuleUpload,
    options: UploadOptions = {},
  ): Promise<{ readonly url: string }> {
    const { app } = await this.clients();
    try {
      const answer = await sendModule(app, upload, options);
      return { url: answer.url };
    } finally {
      // Also where it failed: it may have arrived, and only the answer got lost.
      this.noticeChange(upload);
    }
  }

  /**
   * Uploads a version of a training script, a model or another package, and makes its item when there is
   * none. Throws as `uploadModule`.
   */
  async uploadPackage(
    upload: PackageUpload,
    options: UploadOptions = {},
  ): Promise<UploadedPackage> {
    const { packages } = await this.clients();
    try {
      return await sendPackage(packages, upload, options);
    } finally {
      this.fire({ parents: [upload.organization] });
    }
  }

  /** Tells that an item is another than it was when it was read, as who asks about it finds out. */
  noticeChange({ id, organizationId }: RegistryItemKey): void {
    this.fire({ ids: [id], parents: [organizationId] });
  }

  /** Ids begin with the namespace of an organization, once it has one. */
  renamedIn(organizations: readonly OrganizationId[]): void {
    if (organizations.length > 0) this.fire({ parents: organizations });
  }

  /** Items say how far they are only by what a list of them leaves out. Undefined where it cannot. */
  private async inDevelopment(
    organization: OrganizationId,
    signal: AbortSignal,
  ): Promise<ReadonlySet<RegistryItemId> | undefined> {
    const { app } = await this.clients();
    const request = {
      organizationId: organization,
      showOwnedDeprecated: true,
      statuses: [ITEM_STATUSES.inDevelopment],
    };
    try {
      const { items } = await app.listRegistryItems(request, { signal });
      return new Set(items.map(({ itemId }) => registryItemId(itemId)));
    } catch (error) {
      if (signal.aborted || isCanceled(error)) throw error;
      return undefined;
    }
  }

  protected override forget(change: RegistryChange): void {
    super.forget(change);
    // One item goes by two ids where its organization has a namespace.
    this.items.clear();
  }
}

/** The id of the packages of an item, the same for all its versions. */
function packageIdOf({ organizationId, name }: PackageKey): string {
  return `${organizationId}/${name}`;
}

function typeNumber({ type }: PackageKey): PackageType {
  return type === 'unknown' ? 0 : ITEM_TYPES[type];
}
