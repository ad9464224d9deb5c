import { Disposable } from '../../base/disposable';
import { Emitter } from '../../base/emitter';
import { withSignal } from '../api/calls';
import type { LoadClients } from '../api/fleetClients';
import {
  type HeldRole,
  heldRoleFromWire,
  type Identity,
  type Role,
  roleToWire,
} from '../model/access';
import type { OrganizationId } from '../model/ids';
import { ResourceCache } from './resourceCache';
import { type ReadOptions, type StoreChange, storeChange } from './storeChange';
import { whenGone } from './whenGone';

/** Its parents are the organizations whose roles changed. */
export type RoleChange = StoreChange<never, OrganizationId>;

/** Who holds which role on what, one list per organization. Calls throw `FleetError`. */
export class RoleStore extends Disposable {
  private readonly lists = new ResourceCache<OrganizationId, readonly HeldRole[]>();
  private readonly changed = this.register(new Emitter<RoleChange>());
  readonly onDidChange = this.changed.event;

  constructor(private readonly clients: LoadClients) {
    super();
  }

  /** All roles in an organization, on itself and on whatever is in it: one call. */
  list(organization: OrganizationId, options: ReadOptions = {}): Promise<readonly HeldRole[]> {
    return this.lists.get(organization, (signal) => this.read(organization, [], signal), options);
  }

  /** The roles on these resources alone, as the service has them now. */
  listOn(
    organization: OrganizationId,
    resourceIds: readonly string[],
    signal?: AbortSignal,
  ): Promise<readonly HeldRole[]> {
    return this.read(organization, resourceIds, signal);
  }

  async add(organization: OrganizationId, identity: Identity, role: Role): Promise<void> {
    const { app } = await this.clients();
    await app.addRole({ authorization: roleToWire(organization, role, identity) });
    this.changedIn([organization]);
  }

  /** Throws for the last owner of the organization. A key goes with its last role. */
  async remove(organization: OrganizationId, identity: Identity, role: Role): Promise<void> {
    const { app } = await this.clients();
    const call = app.removeRole({ authorization: roleToWire(organization, role, identity) });
    await whenGone(call, () => this.changedIn([organization]));
    this.changedIn([organization]);
  }

  /** Gives up one role for another in one step: either both happen or nothing does. */
  async change(
    organization: OrganizationId,
    identity: Identity,
    { from, to }: { readonly from: Role; readonly to: Role },
  ): Promise<void> {
    const { app } = await this.clients();
    const call = app.changeRole({
      oldAuthorization: roleToWire(organization, from, identity),
      newAuthorization: roleToWire(organization, to, identity),
    });
    await whenGone(call, () => this.changedIn([organization]));
    this.changedIn([organization]);
  }

  /** Roles in these organizations came or went by other ways, such as with their holders. */
  changedIn(organizations: readonly OrganizationId[]): void {
    if (organizations.length === 0) return;
    for (const organization of organizations) this.lists.invalidate(organization);
    this.changed.fire(storeChange({ parents: organizations }));
  }

  /** Roles on these resources are gone with them. */
  removeOn(resourceIds: readonly string[]): void {
    const gone = new Set(resourceIds);
    const roles = [...this.lists.loaded()].flat();
    const affected = roles.filter(({ resourceId }) => gone.has(resourceId));
    this.changedIn([...new Set(affected.map(({ organizationId }) => organizationId))]);
  }

  /** Forgets what is cached and tells everyone to read again. */
  refresh(): void {
    this.lists.clear();
    this.changed.fire(storeChange({ all: true }));
  }

  private async read(
    organization: OrganizationId,
    resourceIds: readonly string[],
    signal: AbortSignal | undefined,
  ): Promise<readonly HeldRole[]> {
    const { app } = await this.clients();
    const answer = await app.listAuthorizations(
      { organizationId: organization, resourceIds: [...resourceIds] },
      withSignal(signal),
    );
    return answer.authorizations
      .map((wire) => heldRoleFromWire(wire, organization))
      .filter((role) => role !== undefined);
  }
}
