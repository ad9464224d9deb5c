import { withSignal } from '../api/fleetClients';
import {
  type AssignedRole,
  assignedRoleFromWire,
  type Identity,
  type Role,
  roleToWire,
} from '../model/access';
import type { OrganizationId } from '../model/ids';
import { ParentStore } from './listStore';
import type { ReadOptions } from './resourceCache';

/** Role assignments, in one list per organization. Methods throw `FleetError`. */
export class RoleStore extends ParentStore<readonly AssignedRole[], never, OrganizationId> {
  /** Returns all roles on an organization and on all resources in it. Makes one call. */
  list(organization: OrganizationId, options: ReadOptions = {}): Promise<readonly AssignedRole[]> {
    return this.lists.getAndCompare(
      organization,
      (signal) => this.read(organization, [], signal),
      options,
      () => this.fireChange({ parents: [organization] }),
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
    await this.sendChange(organization, call);
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
    await this.sendChange(organization, call);
    this.changedIn([organization]);
  }

  /** Handles the deletion of roles together with these resources. */
  removeOn(resourceIds: readonly string[]): void {
    const gone = new Set(resourceIds);
    const roles = [...this.lists.loaded()].flat();
    const affected = roles.filter(({ resourceId }) => gone.has(resourceId));
    this.changedIn([...new Set(affected.map(({ organizationId }) => organizationId))]);
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
