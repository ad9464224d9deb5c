import { required, withSignal } from '../api/fleetClients';
import type { Location, OrganizationIdentity } from '../model/entities';
import { locationFromWire } from '../model/fromWire';
import { type LocationId, type OrganizationId, organizationId } from '../model/ids';
import { listDescendants } from '../model/locationTree';
import { inNameOrder } from '../model/resourceName';
import { ListStore, type StoreChange } from './listStore';
import { invalidateOnNotFound, type ReadOptions } from './resourceCache';

type LocationChange = StoreChange<LocationId, OrganizationId>;

/** Value on the wire for the parent of a top-level location. */
const NO_PARENT = '';

const FRESH: ReadOptions = { fresh: true };

type LocationKey = Pick<Location, 'id' | 'organizationId'>;

/** Changed fields in a location. Absent fields remain unchanged. */
type LocationUpdate = Partial<Pick<Location, 'name' | 'parentId' | 'region'>>;

/** Locations, in one list per organization. The nested tree is built from these lists. */
export class LocationStore extends ListStore<Location, OrganizationId> {
  /** Returns all locations in an organization at every depth, sorted by name. Makes one call. */
  list(organization: OrganizationId, options: ReadOptions = {}): Promise<readonly Location[]> {
    return this.readList(
      organization,
      async (signal) => {
        const request = { organizationId: organization };
        const answer = await this.clients.app.listLocations(request, { signal });
        return inNameOrder(answer.locations.map((wire) => locationFromWire(wire, organization)));
      },
      options,
    );
  }

  /**
   * Returns one location, from a cached list or by its ID. If a shared location is read by its ID,
   * `organization` is its owner.
   */
  async get(id: LocationId, { signal, fresh }: ReadOptions = {}): Promise<Location> {
    const listed = [...this.lists.loaded()].flat().find((location) => location.id === id);
    if (listed && !fresh) return listed;
    const answer = await this.clients.app.getLocation({ locationId: id }, withSignal(signal));
    const wire = required(answer.location, 'location', this.clients.l10n);
    return locationFromWire(wire, organizationId(wire.primaryOrgIdentity?.id ?? ''));
  }

  async create(
    organization: OrganizationId,
    name: string,
    parent: LocationId | undefined,
  ): Promise<Location> {
    const answer = await this.clients.app.createLocation({
      organizationId: organization,
      name,
      ...(parent === undefined ? {} : { parentLocationId: parent }),
    });
    const created = locationFromWire(
      required(answer.location, 'location', this.clients.l10n),
      organization,
    );
    this.fire({ ids: [created.id], parents: [organization, ...this.showing(parent)] });
    return created;
  }

  /** Renames a location. Leaves its parent and region unchanged. */
  rename(location: LocationKey, name: string): Promise<Location> {
    return this.update(location, { name });
  }

  /**
   * Sets the region that stores the location's new data. An empty region selects the service's
   * default.
   */
  setRegion(location: LocationKey, region: string): Promise<Location> {
    return this.update(location, { region });
  }

  /** Moves a location into `parent`, or to the top level if `parent` is undefined. */
  move(location: LocationKey, parent: LocationId | undefined): Promise<Location> {
    return this.update(location, { parentId: parent });
  }

  /**
   * Returns the organizations that can read a location: its owner, and the organizations that the
   * location is shared with.
   */
  async organizationsWithAccess(
    id: LocationId,
    { signal }: Pick<ReadOptions, 'signal'> = {},
  ): Promise<readonly OrganizationIdentity[]> {
    const answer = await this.clients.app.getOrganizationsWithAccessToLocation(
      { locationId: id },
      withSignal(signal),
    );
    return inNameOrder(
      answer.organizationIdentities.map((wire) => ({
        id: organizationId(wire.id),
        name: wire.name,
      })),
    );
  }

  /** Grants another organization read access to a location and everything inside it. */
  async share(location: LocationKey, organization: OrganizationId): Promise<void> {
    await this.clients.app.shareLocation({ locationId: location.id, organizationId: organization });
    this.fire({ ids: [location.id], parents: [...this.listOrganizations(location), organization] });
  }

  async unshare(location: LocationKey, organization: OrganizationId): Promise<void> {
    await this.clients.app.unshareLocation({
      locationId: location.id,
      organizationId: organization,
    });
    this.fire({ ids: [location.id], parents: [...this.listOrganizations(location), organization] });
  }

  async delete(location: Location): Promise<void> {
    await invalidateOnNotFound(this.clients.app.deleteLocation({ locationId: location.id }), () =>
      this.reread(location),
    );
    const all = this.lists.peek(location.organizationId) ?? [];
    const inside = listDescendants(location.id, all).map(({ id }) => id);
    this.fire({ removed: [location.id, ...inside], parents: this.listOrganizations(location) });
  }

  /** Handles the deletion of these organizations together with their contents. */
  override removeIn(organizations: readonly OrganizationId[]): void {
    if (organizations.length === 0) return;
    const removed = this.listCachedIds(organizations);
    this.fire({ removed, parents: [...organizations, ...this.showing(...removed)] });
  }

  private async update(location: LocationKey, change: LocationUpdate): Promise<Location> {
    const { name, region } = change;
    const write = async () => {
      // Some services treat an absent parent as "unchanged", others as "move to the top level".
      // Therefore, the current parent is sent. A cached parent could undo another user's move.
      const { parentId } = 'parentId' in change ? change : await this.get(location.id, FRESH);
      return this.clients.app.updateLocation({
        locationId: location.id,
        parentLocationId: parentId ?? NO_PARENT,
        ...(name !== undefined && { name }),
        ...(region !== undefined && { region }),
      });
    };
    const answer = await invalidateOnNotFound(write(), () => this.reread(location));
    const wire = required(answer.location, 'location', this.clients.l10n);
    const updated = locationFromWire(wire, location.organizationId);
    const parents = [...this.listOrganizations(location), ...this.showing(updated.parentId)];
    this.fire({ ids: [location.id], parents });
    return updated;
  }

  private reread(location: LocationKey): void {
    this.fire({ parents: this.listOrganizations(location) });
  }

  private listOrganizations({ id, organizationId: own }: LocationKey): readonly OrganizationId[] {
    return [own, ...this.showing(id)];
  }

  /**
   * Returns the organizations whose lists contain any of these locations: their owners, and the
   * organizations that they are shared with.
   */
  private showing(...ids: readonly (LocationId | undefined)[]): readonly OrganizationId[] {
    return [...this.lists.loaded()]
      .flatMap((list) => list.find(({ id }) => ids.includes(id)) ?? [])
      .map((location) => location.organizationId);
  }

  /** Removes duplicate organizations before notifying listeners. */
  protected override fire({ parents = [], ...rest }: Partial<LocationChange>): void {
    super.fire({ ...rest, parents: [...new Set(parents)] });
  }
}
