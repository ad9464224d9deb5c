import * as vscode from 'vscode';
import { FleetError } from '../../../../core/api/errors';
import { inRoleOrder, type Invite } from '../../../../core/model/access';
import type { InviteTarget, RoleTarget } from '../../../../core/model/resourceTarget';
import { toDisplayText } from '../../../../core/model/displayText';
import { roleEditor } from '../../../../core/stores/roleEditor';
import { roleResourceNames } from '../../../../core/stores/roleResourceNames';
import type { FleetTools } from '../../../platform/fleetTools';
import { pickOne } from '../../../platform/prompts/prompts';
import { requireOwnership, type Resolved, resolveInvite } from '../resolveAccess';
import { manageRole } from '../manageRole';
import { pickRoles } from '../pickRole';
import { roleLabel } from '../roleScopes';

/** Adds, changes, and removes roles in an invitation until the user closes the list. */
export async function changeInvite(
  tools: FleetTools,
  requestedTarget: InviteTarget | undefined,
): Promise<void> {
  const context = await resolveInvite(tools, requestedTarget);
  await requireOwnership(context);
  const { target, stores, organization } = context;
  const { organizationId, name } = organization;
  const title = vscode.l10n.t('Edit Invitation to {0}', toDisplayText(target.email));
  for (let isFirst = true; ; isFirst = false) {
    const invite = await currentInvite(context);
    if (invite === undefined) {
      if (isFirst) throw noLongerInvited(target, name);
      return;
    }
    const items = await roleItems(context, invite);
    const { role } = await pickOne<{ label: string; role: RoleTarget | undefined }>(
      [...items, { label: vscode.l10n.t('$(add) Add Role…'), role: undefined }],
      { title, placeholder: vscode.l10n.t('Select a role to change or remove it') },
    );
    if (role) {
      await manageRole(tools, role);
      continue;
    }
    const added = await pickRoles({
      stores,
      organization: { id: organizationId, name },
      title,
      except: invite.roles,
    });
    const editor = roleEditor(stores, organizationId, inviteHolder(target));
    for (const one of added) await editor.add(one);
  }
}

function noLongerInvited({ email }: InviteTarget, organization: string): FleetError {
  return new FleetError(
    'notFound',
    vscode.l10n.t(
      '{0} is no longer invited to "{1}". Refresh the Fleet view, and send a new invitation if needed.',
      toDisplayText(email),
      toDisplayText(organization),
    ),
  );
}

async function currentInvite({
  target,
  stores,
}: Resolved<InviteTarget>): Promise<Invite | undefined> {
  const { invites } = await stores.members.list(target.organizationId, { fresh: true });
  return invites.find(({ email }) => email === target.email);
}

async function roleItems(
  { target, stores }: Resolved<InviteTarget>,
  { roles }: Invite,
): Promise<readonly { readonly label: string; readonly role: RoleTarget }[]> {
  const { connectionId, organizationId } = target;
  const names = await roleResourceNames(stores, organizationId, roles);
  return inRoleOrder(roles).map((role) => {
    const name = names.get(role.resourceId) ?? role.resourceId;
    const where = { connectionId, organizationId, holder: inviteHolder(target) };
    return {
      label: roleLabel(role, name),
      role: { kind: 'role', ...where, role, name },
    };
  });
}

function inviteHolder({ email, name }: InviteTarget): RoleTarget['holder'] {
  return { type: 'invite', id: email, name };
}
