import type { Identity, Role } from '../model/access';
import type { RoleHolder } from '../model/resourceTarget';
import type { ApiKeyId, OrganizationId, UserId } from '../model/ids';
import type { FleetStores } from './fleetStores';

/** Adds and removes one holder's roles, using the calls for the holder's kind. */
export interface RoleEditor {
  add(role: Role): Promise<void>;
  remove(role: Role): Promise<void>;
  change(from: Role, to: Role): Promise<void>;
}

type Stores = Pick<FleetStores, 'members' | 'roles'>;

/** Returns the editor for a member, an API key, or an invitation. Its calls throw `FleetError`. */
export function roleEditor(
  stores: Stores,
  organization: OrganizationId,
  holder: RoleHolder,
): RoleEditor {
  if (holder.type === 'invite') return inviteEditor(stores, organization, holder.id);
  const identity: Identity = { type: holder.type, id: holder.id as UserId | ApiKeyId };
  return {
    add: (role) => stores.roles.add(organization, identity, role),
    remove: (role) => stores.roles.remove(organization, identity, role),
    change: (from, to) => stores.roles.change(organization, identity, { from, to }),
  };
}

function inviteEditor(
  { members }: Stores,
  organization: OrganizationId,
  email: string,
): RoleEditor {
  const change = async (add: readonly Role[], remove: readonly Role[]): Promise<void> => {
    await members.changeInvite(organization, email, { add, remove });
  };
  return {
    add: (role) => change([role], []),
    remove: (role) => change([], [role]),
    // The service doesn't allow removing the last role of an invitation, not even to replace it, so
    // the new role is added first.
    change: async (from, to) => {
      await change([to], []);
      await change([], [from]);
    },
  };
}
