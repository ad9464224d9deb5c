import { Disposable } from '../../base/disposable';
import { Emitter } from '../../base/emitter';
import { type FleetClients, withSignal } from '../api/fleetClients';
import {
  type AssignedRole,
  assignedRoleFromWire,
  type Identity,
  type Role,
  roleToWire,
} from '../model/access';
import type { OrganizationId } from '../model/ids';
import {
  invalidateOnNotFound,
  type ReadOptions,
  ResourceCache,
  type StoreChange,
  storeChange,
} from './resourceCache';

/** Change to roles. `parents` contains the organizations whose roles changed. */
export type RoleChange = StoreChange<never, OrganizationId>;

/** Role assignments, in one list per organization. Methods throw `FleetError`. */
export class RoleStore extends Disposable {
  private readonly lists = new ResourceCache<OrganizationId, readonly AssignedRole[]>();
  private readonly changed = this.register(new Emitter<RoleChange>());
  readonly onDidChange = this.changed.event;

  constructor(private readonly clients: FleetClients) {
    super();
  }

  /** Returns all roles on an organization and on all resources in it. Makes one call. */
  list(organization: OrganizationId, options: ReadOptions = {}): Promise<readonly AssignedRole[]> {
    return this.lists.getAndCompare(
      organization,
      (signal) => this.read(organization, [], signal),
      options,
      () => this.changed.fire(storeChange({ parents: [organization] })),
    );
  }

  /** Returns only the roles on these resources, without caching. */
  listOn(
    organization: OrganizationId,
    resourceIds: readonly string[],
    signal?: AbortSignal,
  ): Promise<readonly AssignedRole[]> {
    return this.read(organization, resourceIds, signal);
  }

  async add(organization: OrganizationId, identity: Identity, role: Role): Promise<void> {
    await this.clients.app.addRole({ authorization: roleToWire(organization, role, identity) });
    this.changedIn([organization]);
  }

  /**
   * Removes a role. Throws if its holder is the organization's last owner. Removing an API key's
   * last role deletes the key.
   */
  async remove(organization: OrganizationId, identity: Identity, role: Role): Promise<void> {
    const call = this.clients.app.removeRole({
      authorization: roleToWire(organization, role, identity),
    });
    await invalidateOnNotFound(call, () => this.changedIn([organization]));
    this.changedIn([organization]);
  }

  /** Replaces one role with another atomically. */
  async change(
    organization: OrganizationId,
    identity: Identity,
    { from, to }: { readonly from: Role; readonly to: Role },
  ): Promise<void> {
    const call = this.clients.app.changeRole({
      oldAuthorization: roleToWire(organization, from, identity),
      newAuthorization: roleToWire(organization, to, identity),
    });
    await invalidateOnNotFound(call, () => this.changedIn([organization]));
    this.changedIn([organization]);
  }

  /**
   * Handles roles in these organizations that were added or removed elsewhere, for example together
   * with their holders.
   */
  changedIn(organizations: readonly OrganizationId[]): void {
    if (organizations.length === 0) return;
    for (const organization of organizations) this.lists.invalidate(organization);
    this.changed.fire(storeChange({ parents: organizations }));
  }

  /** Handles the deletion of roles together with these resources. */
  removeOn(resourceIds: readonly string[]): void {
    const gone = new Set(resourceIds);
    const roles = [...this.lists.loaded()].flat();
    const affected = roles.filter(({ resourceId }) => gone.has(resourceId));
    this.changedIn([...new Set(affected.map(({ organizationId }) => organizationId))]);
  }

  /** Clears the cache without notifying listeners. */
  clear(): void {
    this.lists.clear();
  }

  /** Clears the cache and notifies listeners so that they reload. */
  refresh(): void {
    this.clear();
    this.changed.fire(storeChange({ all: true }));
  }

  private async read(
    organization: OrganizationId,
    resourceIds: readonly string[],
    signal: AbortSignal | undefined,
  ): Promise<readonly AssignedRole[]> {
    const answer = await this.clients.app.listAuthorizations(
      { organizationId: organization, resourceIds: [...resourceIds] },
      withSignal(signal),
    );
    return answer.authorizations
      .map((wire) => assignedRoleFromWire(wire, organization))
      .filter((role) => role !== undefined);
  }
}
