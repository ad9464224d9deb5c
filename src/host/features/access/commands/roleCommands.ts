import * as vscode from 'vscode';
import type { Role } from '../../../../core/model/access';
import type {
  IdentityTarget,
  ResourceTarget,
  RoleHolder,
  RoleTarget,
} from '../../../../core/model/resourceTarget';
import { toDisplayText } from '../../../../core/model/displayText';
import { roleEditor } from '../../../../core/stores/roleEditor';
import type { FleetTools } from '../../../platform/fleetTools';
import { confirm } from '../../../platform/prompts/prompts';
import { requireRight } from '../../../platform/permissions/requireRight';
import { formatRole } from '../../../platform/permissions/formatRole';
import { type AccessContext, type Resolved, resolveIdentity, resolveRole } from '../resolveAccess';
import { pickRole, type PickRoleOptions, pickRoles } from '../pickRole';
import { revokeInvitation } from './memberCommands';
import { locationId, machineId } from '../../../../core/model/ids';

/** Adds one or more roles to a member or an API key. */
export async function addRole(
  tools: FleetTools,
  requestedTarget: IdentityTarget | undefined,
): Promise<void> {
  const context = await resolveIdentity(tools, requestedTarget);
  const { target, stores, organization } = context;
  const holder = toRoleHolder(target);
  const roles = await pickRoles({
    stores,
    organization: { id: organization.organizationId, name: organization.name },
    title: vscode.l10n.t('Assign Role to "{0}"', toDisplayText(holder.name)),
    except: await listAssignedRoles(context, holder),
  });
  await addRoles(context, roles);
}

/**
 * Adds roles that were already selected. If a role is rejected, throws `permission` with the users
 * to contact.
 */
export async function addRoles(
  context: Resolved<IdentityTarget>,
  roles: readonly Role[],
): Promise<void> {
  const { target, stores, organization } = context;
  const editor = roleEditor(stores, organization.organizationId, toRoleHolder(target));
  for (const role of roles) {
    await requireRight(stores, await roleResource(context, role), 'administer');
    await editor.add(role);
  }
}

/** Replaces one role with another atomically. */
export async function changeRole(
  tools: FleetTools,
  requestedTarget: RoleTarget | undefined,
): Promise<void> {
  const context = await resolveRole(tools, requestedTarget);
  const { target, stores, organization } = context;
  const { holder, role } = target;
  await requireRight(stores, await roleResource(context, role), 'administer');
  const options: PickRoleOptions = {
    stores,
    organization: { id: organization.organizationId, name: organization.name },
    title: vscode.l10n.t(
      'Change "{0}" for {1}',
      formatRole(role, target.name),
      toDisplayText(holder.name),
    ),
    preset: role,
    except: await listAssignedRoles(context, holder),
  };
  const next = await pickRole(options);
  if (next === undefined) return;
  if (isOwnKey(tools, target)) await confirmOwnKey(vscode.l10n.t('Change Role'));
  await roleEditor(stores, organization.organizationId, holder).change(role, next.role);
}

/** Removes a role after the user confirms a prompt that names the holder and the consequences. */
export async function removeRole(
  tools: FleetTools,
  requestedTarget: RoleTarget | undefined,
): Promise<void> {
  const context = await resolveRole(tools, requestedTarget);
  const { target, stores, organization } = context;
  const { holder, role } = target;
  await requireRight(stores, await roleResource(context, role), 'administer');
  const isLast = (await listAssignedRoles(context, holder)).length === 1;
  if (isLast && holder.type === 'invite') return cancelInvitationInstead(tools, target);
  await confirm(
    vscode.l10n.t(
      'Remove the role "{0}" from {1}?',
      formatRole(role, target.name),
      toDisplayText(holder.name),
    ),
    [
      vscode.l10n.t('Organization: {0}.', toDisplayText(organization.name)),
      ...(isLast ? [describeLastRole(holder)] : []),
      ...(isOwnKey(tools, target) ? [describeOwnKeyImpact()] : []),
    ].join(' '),
    vscode.l10n.t('Remove Role'),
  );
  await roleEditor(stores, organization.organizationId, holder).remove(role);
}

/** Reads a holder's current roles from the service. */
async function listAssignedRoles(
  { stores, organization: { organizationId } }: AccessContext,
  holder: RoleHolder,
): Promise<readonly Role[]> {
  if (holder.type === 'invite') {
    const { invites } = await stores.members.list(organizationId, { fresh: true });
    return invites.find(({ email }) => email === holder.id)?.roles ?? [];
  }
  const roles = await stores.roles.list(organizationId, { fresh: true });
  return roles.filter(({ identity }) => identity.id === holder.id);
}

async function cancelInvitationInstead(tools: FleetTools, target: RoleTarget): Promise<void> {
  const { holder, connectionId, organizationId } = target;
  await confirm(
    vscode.l10n.t('An invitation must have at least one role.'),
    vscode.l10n.t(
      'This is the only role in the invitation to {0}. Revoke the invitation or change the role instead.',
      toDisplayText(holder.name),
    ),
    vscode.l10n.t('Revoke Invitation'),
  );
  const { id: email, name } = holder;
  await revokeInvitation(tools, { kind: 'invite', connectionId, organizationId, email, name });
}

function toRoleHolder(target: IdentityTarget): RoleHolder {
  return target.kind === 'member'
    ? { type: 'user', id: target.userId, name: target.name }
    : { type: 'apiKey', id: target.keyId, name: target.name };
}

function isOwnKey({ sessions }: FleetTools, { connectionId, holder }: RoleTarget): boolean {
  return sessions.connection(connectionId)?.keyId === holder.id;
}

async function confirmOwnKey(yes: string): Promise<void> {
  const question = vscode.l10n.t('Change the permissions of your own key?');
  await confirm(question, describeOwnKeyImpact(), yes);
}

function describeOwnKeyImpact(): string {
  return vscode.l10n.t(
    'You are signed in with this key. After this change, you might lose access to some resources.',
  );
}

function describeLastRole({ type }: RoleHolder): string {
  return type === 'apiKey'
    ? vscode.l10n.t(
        "It is this key's last role on the organization. The key is deleted together with its last role.",
      )
    : vscode.l10n.t(
        "It is this member's last role. The member stays in the organization without a role.",
      );
}

/** Returns a role's resource as a target for commands. */
async function roleResource(
  { organization, stores }: AccessContext,
  { resourceType, resourceId }: Role,
): Promise<ResourceTarget> {
  const { connectionId, organizationId } = organization;
  switch (resourceType) {
    case 'organization':
      return organization;
    case 'location': {
      const all = await stores.locations.list(organizationId);
      const id = locationId(resourceId);
      const name = all.find((location) => location.id === id)?.name ?? resourceId;
      return { kind: 'location', connectionId, organizationId, locationId: id, name };
    }
    case 'robot': {
      const machine = await stores.machines.get(machineId(resourceId));
      const { id, name } = machine;
      const where = { connectionId, organizationId, locationId: machine.locationId };
      return { kind: 'machine', ...where, machineId: id, name };
    }
  }
}
