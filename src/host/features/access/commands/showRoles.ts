import * as vscode from 'vscode';
import { FleetError } from '../../../../core/api/errors';
import { requireWritable } from '../../../../core/api/readOnly';
import { type AssignedRole, inRoleOrder } from '../../../../core/model/access';
import type { OrganizationTarget, RoleTarget } from '../../../../core/model/resourceTarget';
import { toDisplayText } from '../../../../core/model/displayText';
import { idsAbove } from '../../../../core/stores/ownersAbove';
import { roleResourceNames } from '../../../../core/stores/roleResourceNames';
import type { FleetTools } from '../../../platform/fleetTools';
import { PermissionDeniedError } from '../../../platform/permissions/requireRight';
import { pickOne } from '../../../platform/prompts/prompts';
import { toQuickPickText } from '../../../platform/text/displayText';
import { roleMeaning } from '../../../platform/permissions/formatRole';
import { type AccessContext, identityNames, pickIdentity } from '../resolveAccess';
import { manageRole } from '../manageRole';
import { type NamedScope, type RoleableTarget, roleLabel, toNamedScope } from '../roleScopes';
import { pickRole } from '../pickRole';
import { addRoles } from './roleCommands';

interface RoleItem extends vscode.QuickPickItem {
  readonly role: RoleTarget | undefined;
}

/**
 * Lists the roles on a resource and its parents. The user can add, change, and remove roles until
 * closing the list.
 */
export async function showRoles(
  tools: FleetTools,
  requestedTarget: RoleableTarget | undefined,
): Promise<void> {
  const resource = requestedTarget ?? (await pickResource(tools));
  const context = await getAccessContext(tools, resource);
  const on = toNamedScope(resource);
  const title = vscode.l10n.t('Roles on "{0}"', toDisplayText(resource.name));
  for (;;) {
    const items = await roleItems(context, resource, on);
    const { role } = await pickOne(items, {
      title,
      placeholder: vscode.l10n.t('Select a role to change or remove it'),
    });
    await (role ? manageRole(tools, role) : addHere(context, title, on));
  }
}

async function pickResource({ pickTarget }: FleetTools): Promise<RoleableTarget> {
  const { pick } = await pickOne<vscode.QuickPickItem & { pick: () => Promise<RoleableTarget> }>(
    [
      {
        label: vscode.l10n.t('$(organization) An organization'),
        pick: () => pickTarget('organization'),
      },
      { label: vscode.l10n.t('$(location) A location'), pick: () => pickTarget('location') },
      { label: vscode.l10n.t('$(vm) A machine'), pick: () => pickTarget('machine') },
    ],
    {
      title: vscode.l10n.t('Manage Access Roles'),
      placeholder: vscode.l10n.t('Select the resource whose roles you want to manage'),
    },
  );
  return pick();
}

async function addHere(context: AccessContext, title: string, on: NamedScope): Promise<void> {
  requireWritable(context.stores.access.readOnlyConnection, vscode.l10n);
  const identity = await pickIdentity(context, title);
  const { organizationId, name } = context.organization;
  const picked = await pickRole({
    stores: context.stores,
    organization: { id: organizationId, name },
    title: `${title}: ${toDisplayText(identity.name)}`,
    scope: on,
    back: true,
  });
  if (picked) await addRoles({ ...context, target: identity }, [picked.role]);
}

/**
 * Returns a resource's organization and stores. Throws `permission` for a shared location and its
 * contents, because another organization manages their roles.
 */
async function getAccessContext(
  { sessions }: FleetTools,
  resource: RoleableTarget,
): Promise<AccessContext> {
  const { connectionId, organizationId } = resource;
  const stores = sessions.stores(connectionId);
  const { name } = await stores.organizations.get(organizationId);
  if (resource.kind !== 'organization') {
    const all = await stores.locations.list(organizationId);
    const owner = all.find(({ id }) => id === resource.locationId)?.owner;
    if (owner && owner.id !== organizationId) {
      throw new FleetError(
        'permission',
        vscode.l10n.t(
          '"{0}" belongs to the organization "{1}", which manages its roles. Ask its owners.',
          toDisplayText(resource.name),
          toDisplayText(owner.name),
        ),
      );
    }
  }
  return { organization: { kind: 'organization', connectionId, organizationId, name }, stores };
}

async function roleItems(
  { stores, organization }: AccessContext,
  resource: RoleableTarget,
  on: NamedScope,
): Promise<readonly RoleItem[]> {
  const { organizationId } = organization;
  const ids = await idsAbove(stores, resource);
  const assigned = await stores.roles.listOn(organizationId, [...ids]).catch((error: unknown) => {
    throw isPermission(error) ? hiddenRoles(organization) : error;
  });
  const [names, holders] = await Promise.all([
    roleResourceNames(stores, organizationId, assigned),
    identityNames(stores, organizationId),
  ]);
  const item = (role: AssignedRole): RoleItem => {
    const { connectionId } = resource;
    const { type, id } = role.identity;
    const holder = { type, id, name: holders.get(id) ?? id };
    const name = names.get(role.resourceId) ?? role.resourceId;
    return {
      label: roleLabel(role, name),
      description: toQuickPickText(holder.name),
      detail: roleMeaning(role.name),
      role: { kind: 'role', connectionId, organizationId, holder, role, name },
    };
  };
  const ordered = inRoleOrder(assigned);
  const here = ordered.filter(({ resourceId }) => resourceId === on.resourceId);
  const inherited = ordered.filter(({ resourceId }) => resourceId !== on.resourceId);
  return [
    { label: vscode.l10n.t('$(add) Add Role…'), role: undefined },
    separator(
      here.length > 0 ? vscode.l10n.t('On this resource') : vscode.l10n.t('On this resource: none'),
    ),
    ...here.map(item),
    ...(inherited.length > 0 ? [separator(vscode.l10n.t('inherited'))] : []),
    ...inherited.map(item),
  ];
}

function isPermission(error: unknown): boolean {
  return error instanceof FleetError && error.kind === 'permission';
}

function hiddenRoles(organization: OrganizationTarget): PermissionDeniedError {
  const message = vscode.l10n.t(
    'Your API key doesn\'t have permission to view the roles in "{0}". It needs a role on the organization. Ask an owner for access.',
    toDisplayText(organization.name),
  );
  return new PermissionDeniedError(message, organization);
}

function separator(label: string): RoleItem {
  return { label, kind: vscode.QuickPickItemKind.Separator, role: undefined };
}
