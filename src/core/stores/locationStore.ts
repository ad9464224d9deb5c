import { required, withSignal } from '../api/calls';
import type { Location, OrganizationIdentity } from '../model/entities';
import { locationFromWire } from '../model/fromWire';
import { type LocationId, type OrganizationId, organizationId } from '../model/ids';
import { descendantsOf } from '../model/locationTree';
import { inNameOrder } from '../model/nameOrder';
import { ListStore } from './listStore';
import type { ReadOptions, StoreChange } from './storeChange';
import { whenGone } from './whenGone';

type LocationChange = StoreChange<LocationId, OrganizationId>;

/** The wire's word for the top level. */
const NO_PARENT = '';

const FRESH: ReadOptions = { fresh: true };

type LocationKey = Pick<Location, 'id' | 'organizationId'>;

/** Fields of a location that change; the others stay. */
type LocationUpdate = Partial<Pick<Location, 'name' | 'parentId' | 'region'>>;

/** Locations, one list per organization, from which the nested tree is built. */
export class LocationStore extends ListStore<Location, OrganizationId> {
  /** All locations of an organization at every depth, in name order: one call. */
  async list(
    organization: OrganizationId,
    options: ReadOptions = {},
  ): Promise<readonly Location[]> {
    const before = this.lists.peek(organization);
    const after = await this.lists.get(
      organization,
      async (signal) => {
        const request = { organizationId: organization };
        const { app } = await this.clients();
        const answer = await app.listLocations(request, { signal });
        return inNameOrder(answer.locations.map((wire) => locationFromWire(wire, organization)));
      },
      options,
    );
    // Who asks afresh may find what others did in the meantime.
    if (options.fresh && before && !sameIds(before, after)) {
      this.tell({ parents: [organization] });
    }
    return after;
  }

  /**
   * One location, from a list that was read or by its id alone: of a location that another
   * organization shares, the organization is then the one it belongs to.
   */
  async get(id: LocationId, { signal, fresh }: ReadOptions = {}): Promise<Location> {
    const listed = [...this.lists.loaded()].flat().find((location) => location.id === id);
    if (listed && !fresh) return listed;
    const { app } = await this.clients();
    const answer = await app.getLocation({ locationId: id }, withSignal(signal));
    const wire = required(answer.location, 'the location');
    return locationFromWire(wire, organizationId(wire.primaryOrgIdentity?.id ?? ''));
  }

  async create(
    organization: OrganizationId,
    name: string,
    parent: LocationId | undefined,
  ): Promise<Location> {
    const { app } = await this.clients();
    const answer = await app.createLocation({
      organizationId: organization,
      name,
      ...(parent === undefined ? {} : { parentLocationId: parent }),
    });
    const created = locationFromWire(required(answer.location, 'the location'), organization);
    this.fire({ ids: [created.id], parents: [organization, ...this.showing(parent)] });
    return created;
  }

  /** Renames a location. Where it is and its region stay. */
  rename(location: LocationKey, name: string): Promise<Location> {
    return this.update(location, { name });
  }

  /** Sets where new data of the location is stored; empty for the service's choice. */
  setRegion(location: LocationKey, region: string): Promise<Location> {
    return this.update(location, { region });
  }

  /** Moves below `parent`, or to the top level when it is undefined. */
  move(location: LocationKey, parent: LocationId | undefined): Promise<Location> {
    return this.update(location, { parentId: parent });
  }

  /** The organizations that may read a location: the one it belongs to, and those it is shared with. */
  async organizationsWithAccess(
    id: LocationId,
    { signal }: Pick<ReadOptions, 'signal'> = {},
  ): Promise<readonly OrganizationIdentity[]> {
    const { app } = await this.clients();
    const answer = await app.getOrganizationsWithAccessToLocation(
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

  /** Lets another organization read a location and all that is inside it. */
  async share(location: LocationKey, organization: OrganizationId): Promise<void> {
    const { app } = await this.clients();
    await app.shareLocation({ locationId: location.id, organizationId: organization });
    this.fire({ ids: [location.id], parents: [...this.organizationsOf(location), organization] });
  }

  async unshare(location: LocationKey, organization: OrganizationId): Promise<void> {
    const { app } = await this.clients();
    await app.unshareLocation({ locationId: location.id, organizationId: organization });
    this.fire({ ids: [location.id], parents: [...this.organizationsOf(location), organization] });
  }

  async delete(location: Location): Promise<void> {
    const { app } = await this.clients();
    await whenGone(app.deleteLocation({ locationId: location.id }), () => this.reread(location));
    const all = this.lists.peek(location.organizationId) ?? [];
    const inside = descendantsOf(location.id, all).map(({ id }) => id);
    this.fire({ removed: [location.id, ...inside], parents: this.organizationsOf(location) });
  }

  /** What these organizations held is gone with them. */
  override removeIn(organizations: readonly OrganizationId[]): void {
    if (organizations.length === 0) return;
    const removed = this.heldBy(organizations);
    this.fire({ removed, parents: [...organizations, ...this.showing(...removed)] });
  }

  private async update(location: LocationKey, change: LocationUpdate): Promise<Location> {
    const { app } = await this.clients();
    const { name, region } = change;
    const write = async () => {
      // An absent parent means "unchanged" to some services and "move to the top level" to others. The
      // present one is sent along: a remembered one could undo what another user moved.
      const { parentId } = 'parentId' in change ? change : await this.get(location.id, FRESH);
      return app.updateLocation({
        locationId: location.id,
        parentLocationId: parentId ?? NO_PARENT,
        ...(name !== undefined && { name }),
        ...(region !== undefined && { region }),
      });
    };
    const answer = await whenGone(write(), () => this.reread(location));
    const wire = required(answer.location, 'the location');
    const updated = locationFromWire(wire, location.organizationId);
    const parents = [...this.organizationsOf(location), ...this.showing(updated.parentId)];
    this.fire({ ids: [location.id], parents });
    return updated;
  }

  private reread(location: LocationKey): void {
    this.fire({ parents: this.organizationsOf(location) });
  }

  private organizationsOf({ id, organizationId: own }: LocationKey): readonly OrganizationId[] {
    return [own, ...this.showing(id)];
  }

  /**
   * The organizations in whose lists any of these locations is: the one it belongs to, and those it
   * is shared with.
   */
  private showing(...ids: readonly (LocationId | undefined)[]): readonly OrganizationId[] {
    return [...this.lists.loaded()]
      .flatMap((list) => list.find(({ id }) => ids.includes(id)) ?? [])
      .map((location) => location.organizationId);
  }

  /** An organization named twice is told once. */
  protected override fire({ parents = [], ...rest }: Partial<LocationChange>): void {
    super.fire({ ...rest, parents: [...new Set(parents)] });
  }
}

function sameIds(before: readonly Location[], after: readonly Location[]): boolean {
  const known = new Set(before.map(({ id }) => id));
  return before.length === after.length && after.every(({ id }) => known.has(id));
}
