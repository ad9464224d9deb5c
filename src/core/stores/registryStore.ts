import { englishLocalizer } from '../../base/localizer';
import type { PackageType } from '../../gen/viam/app/packages/v1/packages_pb';
import { type FleetClients, required, withSignal } from '../api/fleetClients';
import type { ContentRequest, ContentStream, ReadContent } from '../api/contentStream';
import { FleetError, isCanceled } from '../api/errors';
import type { UploadOptions } from '../api/streamContent';
import { type OrganizationId, type RegistryItemId, registryItemId } from '../model/ids';
import { inNameOrder } from '../model/resourceName';
import { packageFileFromWire, type PackageFileInfo } from '../model/registryPackage';
import { ITEM_STATUSES, ITEM_TYPES, registryItemFromWire } from '../model/registryWire';
import type { KnownItemType, RegistryItem } from '../model/registryItem';
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
import { findDifferences, ListStore, type StoreChange } from './listStore';
import { type ReadOptions, ResourceCache } from './resourceCache';

export type RegistryChange = StoreChange<RegistryItemId, OrganizationId>;

/** Fields that are required to identify an item in calls. */
export type RegistryItemKey = Pick<RegistryItem, 'id' | 'organizationId'>;

/** Fields that are required to identify an item's packages. */
export type PackageKey = Pick<RegistryItem, 'organizationId' | 'name' | 'type'>;

export interface RegistryPage {
  readonly items: readonly RegistryItem[];
  /**
   * Cursor for the next page. A page without items is past the end. Services can return all items
   * in one page without indicating that it is the last page.
   */
  readonly next: RegistryItemId | undefined;
}

/** Maximum number of items that a search returns in one list, so that a picker stays usable. */
const MAX_FOUND_ITEMS = 2_000;

/**
 * Modules, models, training scripts, and other packages, and the archives for their versions. Each
 * organization's items are in one list, and public items are found by searching. Methods throw
 * `FleetError`.
 */
export class RegistryStore extends ListStore<RegistryItem, OrganizationId> {
  private readonly items = new ResourceCache<RegistryItemId, RegistryItem>();

  /** @param contentReader returns undefined if contents can't be read. */
  constructor(
    clients: FleetClients,
    private readonly contentReader: () => Promise<ReadContent | undefined>,
    private readonly l10n = englishLocalizer,
  ) {
    super(clients);
  }

  /**
   * Returns an organization's items of all types, with their development status, sorted by name.
   */
  list(organization: OrganizationId, options: ReadOptions = {}): Promise<readonly RegistryItem[]> {
    return this.readList(
      organization,
      async (signal) => {
        const [answer, inDevelopment] = await Promise.all([
          this.clients.app.listRegistryItems(
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

  protected override reportDifference(
    organization: OrganizationId,
    before: readonly RegistryItem[],
    after: readonly RegistryItem[],
  ): void {
    // The listed fields of these items changed, so the cached complete items are stale.
    this.items.clear();
    this.fireChange({ ...findDifferences(before, after), parents: [organization] });
  }

  /**
   * Returns a complete item with its descriptions. Throws `notFound` if the item doesn't exist or
   * the API key doesn't have permission to read it.
   */
  get(id: RegistryItemId, options: ReadOptions = {}): Promise<RegistryItem> {
    return this.items.getAndCompare(
      id,
      async (signal) => {
        const answer = await this.clients.app.getRegistryItem(
          { itemId: id, includeMarkdownDocumentation: true },
          { signal },
        );
        return registryItemFromWire(required(answer.item, 'registry item', this.clients.l10n));
      },
      options,
      (_, { organizationId }) => {
        this.lists.invalidate(organizationId);
        this.fireChange({ ids: [id], parents: [organizationId] });
      },
    );
  }

  /** Finds items in all organizations that are visible to the API key, sorted by name. */
  async search(query: RegistrySearch, signal?: AbortSignal): Promise<RegistryPage> {
    const answer = await this.clients.app.listRegistryItems(
      searchRequest(query),
      withSignal(signal),
    );
    const items = answer.items.map(registryItemFromWire);
    return { items, next: items.at(-1)?.id };
  }

  /**
   * Reads all pages of a search, up to {@link MAX_FOUND_ITEMS} items.
   * @throws FleetError
   */
  async searchAll(query: RegistrySearch, signal?: AbortSignal): Promise<readonly RegistryItem[]> {
    const items = new Map<RegistryItemId, RegistryItem>();
    let next: RegistryItemId | undefined;
    do {
      const page = await this.search(
        next === undefined ? query : { ...query, after: next },
        signal,
      );
      const count = items.size;
      for (const item of page.items) items.set(item.id, item);
      // Prevents an infinite loop if a service starts over from the first page.
      next = items.size > count ? page.next : undefined;
    } while (next !== undefined && items.size < MAX_FOUND_ITEMS);
    return [...items.values()];
  }

  /**
   * Registers a module's name; the module is initially private. @returns the module's ID and the
   * URL of its page.
   */
  async createModule(
    organization: OrganizationId,
    name: string,
  ): Promise<{ readonly id: RegistryItemId; readonly url: string }> {
    const answer = await this.clients.app.createModule({ organizationId: organization, name });
    const id = registryItemId(answer.moduleId);
    this.fire({ ids: [id], parents: [organization] });
    return { id, url: answer.url };
  }

  /** Replaces all of a module's data. @returns the URL of the module's page. */
  async updateModule(
    { id, organizationId }: RegistryItemKey,
    update: ModuleUpdate,
    signal?: AbortSignal,
  ): Promise<{ readonly url: string }> {
    const request = moduleUpdateRequest(id, update);
    const answer = await this.sendChange(
      organizationId,
      this.clients.app.updateModule(request, withSignal(signal)),
    );
    this.fire({ ids: [id], parents: [organizationId] });
    return { url: answer.url };
  }

  /**
   * Registers an item's name; the item is initially private. The API doesn't return the item's ID.
   */
  async createItem(organization: OrganizationId, name: string, type: KnownItemType): Promise<void> {
    const request = { organizationId: organization, name, type: ITEM_TYPES[type] };
    await this.clients.app.createRegistryItem(request);
    this.fire({ parents: [organization] });
  }

  /**
   * Changes an item of any type. Absent fields in the update remain unchanged. Throws `unsupported`
   * if the visibility must remain unchanged but is unknown to this client.
   */
  async updateItem({ id, organizationId }: RegistryItemKey, update: ItemUpdate): Promise<void> {
    const change = async (): Promise<void> => {
      // The API requires the visibility and other fields in every update. Their values must be
      // current, not cached.
      const current = await this.get(id, { fresh: true });
      await this.clients.app.updateRegistryItem(itemUpdateRequest(current, update, this.l10n));
    };
    await this.sendChange(organizationId, change());
    this.fire({ ids: [id], parents: [organizationId] });
  }

  /**
   * Deletes an item. Throws `conflict` while configs use the item. The error message lists these
   * configs.
   */
  async delete({ id, organizationId }: RegistryItemKey): Promise<void> {
    await this.sendChange(organizationId, this.clients.app.deleteRegistryItem({ itemId: id }));
    this.fire({ removed: [id], parents: [organizationId] });
  }

  /** Deletes a version for all platforms. Throws `conflict` while configs use this version. */
  async deleteVersion(item: RegistryItemKey & PackageKey, version: string): Promise<void> {
    const request = { id: toPackageId(item), version, type: typeNumber(item) };
    await this.sendChange(item.organizationId, this.clients.packages.deletePackage(request));
    this.fire({ ids: [item.id], parents: [item.organizationId] });
  }

  /** Returns the archives of an organization's items, with their download URLs. Makes one call. */
  async packages(
    organization: OrganizationId,
    filter: PackageFilter = {},
    signal?: AbortSignal,
  ): Promise<readonly PackageFileInfo[]> {
    const answer = await this.clients.packages.listPackages(
      packagesRequest(organization, filter),
      withSignal(signal),
    );
    return answer.packages.map(packageFileFromWire);
  }

  /**
   * Returns a version's archive that runs on a platform, with its download URL. Supports the
   * organization's own items and public items.
   * @param platform target platform; absent for any platform.
   */
  async package(
    item: PackageKey,
    version: string,
    platform?: string,
    signal?: AbortSignal,
  ): Promise<PackageFileInfo> {
    const answer = await this.clients.packages.getPackage(
      {
        id: toPackageId(item),
        version,
        includeUrl: true,
        type: typeNumber(item),
        ...(platform !== undefined && { platform }),
      },
      withSignal(signal),
    );
    return packageFileFromWire(required(answer.package, 'package', this.clients.l10n));
  }

  /**
   * Returns an archive's bytes as a stream, regardless of its size. If a position is given, returns
   * only the rest of the bytes.
   */
  async content(
    { url }: Pick<PackageFileInfo, 'url'>,
    request: ContentRequest = {},
  ): Promise<ContentStream> {
    const read = await this.contentReader();
    if (read) return read(url, request);
    const message = this.l10n.t("Archives can't be read over this connection.");
    throw new FleetError('unsupported', message);
  }

  /**
   * Uploads an archive for a module. The archive is stored either completely or not at all. Throws
   * `invalid` if the version already has an archive for the platform, and errors from reading the
   * content.
   * @returns the download URL of the archive.
   */
  async uploadModule(
    upload: ModuleUpload,
    options: UploadOptions = {},
  ): Promise<{ readonly url: string }> {
    try {
      const answer = await sendModule(this.clients.app, upload, options);
      return { url: answer.url };
    } finally {
      // Also notifies listeners after a failure, because the upload might have succeeded although
      // the response was lost.
      this.noticeChange(upload);
    }
  }

  /**
   * Uploads a version of a training script, model, or other package. Creates its item if it doesn't
   * exist. Throws the same errors as `uploadModule`.
   */
  async uploadPackage(
    upload: PackageUpload,
    options: UploadOptions = {},
  ): Promise<UploadedPackage> {
    try {
      return await sendPackage(this.clients.packages, upload, options);
    } finally {
      this.fire({ parents: [upload.organization] });
    }
  }

  /**
   * Notifies listeners that an item has changed since it was read. For callers that detect the
   * change.
   */
  noticeChange({ id, organizationId }: RegistryItemKey): void {
    this.fire({ ids: [id], parents: [organizationId] });
  }

  /**
   * Returns the IDs of the items in development. Only a filtered list reveals this status. Returns
   * undefined if the list can't be read.
   */
  private async inDevelopment(
    organization: OrganizationId,
    signal: AbortSignal,
  ): Promise<ReadonlySet<RegistryItemId> | undefined> {
    const request = {
      organizationId: organization,
      showOwnedDeprecated: true,
      statuses: [ITEM_STATUSES.inDevelopment],
    };
    try {
      const { items } = await this.clients.app.listRegistryItems(request, { signal });
      return new Set(items.map(({ itemId }) => registryItemId(itemId)));
    } catch (error) {
      if (signal.aborted || isCanceled(error)) throw error;
      return undefined;
    }
  }

  protected override evict(change: RegistryChange): void {
    super.evict(change);
    // If its organization has a namespace, an item has two IDs, so the whole cache is cleared.
    this.items.clear();
  }
}

/** Returns the ID of an item's packages, which is the same for all versions of the item. */
function toPackageId({ organizationId, name }: PackageKey): string {
  return `${organizationId}/${name}`;
}

function typeNumber({ type }: PackageKey): PackageType {
  return type === 'unknown' ? 0 : ITEM_TYPES[type];
}
