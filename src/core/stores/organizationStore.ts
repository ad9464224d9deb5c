import { Disposable } from '../../base/disposable';
import { Emitter } from '../../base/emitter';
import { type FleetClients, required, withSignal } from '../api/fleetClients';
import type { Organization } from '../model/entities';
import { organizationFromWire } from '../model/fromWire';
import type { OrganizationId } from '../model/ids';
import { inNameOrder } from '../model/resourceName';
import { findDifferences, storeChange, type StoreChange } from './listStore';
import { type ReadOptions, ResourceCache } from './resourceCache';

/** Editable fields of an organization. Absent fields remain unchanged. */
export interface OrganizationSettings {
  readonly name?: string;
  /** Public namespace; accepted only if the organization has none yet. */
  readonly publicNamespace?: string;
  readonly region?: string;
  readonly crmId?: string;
}

export interface OrganizationChange extends StoreChange<OrganizationId> {
  /** True if the list of organizations itself changed. */
  readonly list: boolean;
}

const LIST = 'list';

/** Organizations that are visible to this connection. Methods throw `FleetError`. */
export class OrganizationStore extends Disposable {
  private readonly lists = new ResourceCache<typeof LIST, readonly Organization[]>();
  private readonly changed = this.register(new Emitter<OrganizationChange>());
  readonly onDidChange = this.changed.event;

  constructor(private readonly clients: FleetClients) {
    super();
  }

  /** Returns the organizations, sorted by name. */
  list(options: ReadOptions = {}): Promise<readonly Organization[]> {
    return this.lists.getAndCompare(
      LIST,
      async (signal) => {
        const answer = await this.clients.app.listOrganizations({}, { signal });
        return inNameOrder(answer.organizations.map(organizationFromWire));
      },
      options,
      (before, after) => this.notify({ ...findDifferences(before, after), list: true }),
    );
  }

  async get(id: OrganizationId, { signal, fresh }: ReadOptions = {}): Promise<Organization> {
    const listed = this.lists.peek(LIST)?.find((organization) => organization.id === id);
    if (listed && !fresh) return listed;
    const answer = await this.clients.app.getOrganization(
      { organizationId: id },
      withSignal(signal),
    );
    return organizationFromWire(required(answer.organization, 'organization', this.clients.l10n));
  }

  async create(name: string): Promise<Organization> {
    const answer = await this.clients.app.createOrganization({ name });
    const created = organizationFromWire(
      required(answer.organization, 'organization', this.clients.l10n),
    );
    this.fire({ ids: [created.id], list: true });
    return created;
  }

  rename(id: OrganizationId, name: string): Promise<Organization> {
    return this.update(id, { name });
  }

  /** Updates an organization's settings. Throws if the namespace is taken or already set. */
  async update(
    id: OrganizationId,
    { crmId, ...settings }: OrganizationSettings,
  ): Promise<Organization> {
    const answer = await this.clients.app.updateOrganization({
      organizationId: id,
      ...settings,
      ...(crmId !== undefined && { cid: crmId }),
    });
    this.fire({ ids: [id], list: true });
    return organizationFromWire(required(answer.organization, 'organization', this.clients.l10n));
  }

  /**
   * Checks whether a public namespace is available for an organization. Throws `invalid` if it is
   * malformed.
   */
  async isNamespaceAvailable(
    publicNamespace: string,
    { signal }: Pick<ReadOptions, 'signal'> = {},
  ): Promise<boolean> {
    const answer = await this.clients.app.getOrganizationNamespaceAvailability(
      { publicNamespace },
      withSignal(signal),
    );
    return answer.available;
  }

  async delete(id: OrganizationId): Promise<void> {
    await this.clients.app.deleteOrganization({ organizationId: id });
    this.fire({ removed: [id], list: true });
  }

  /** Clears the cache without notifying listeners. */
  clear(): void {
    this.lists.clear();
  }

  /** Clears the cache and notifies listeners so that they reload. */
  refresh(): void {
    this.fire({ all: true, list: true });
  }

  private fire(change: Partial<OrganizationChange>): void {
    this.lists.clear();
    this.notify(change);
  }

  private notify(change: Partial<OrganizationChange>): void {
    this.changed.fire({ ...storeChange(change), list: change.list ?? false });
  }
}
