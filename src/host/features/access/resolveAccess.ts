import * as vscode from 'vscode';
import { FleetError } from '../../../core/api/errors';
import { inRoleOrder } from '../../../core/model/access';
import type {
  AccessTarget,
  IdentityTarget,
  InviteTarget,
  MemberTarget,
  OrganizationTarget,
  RoleTarget,
} from '../../../core/model/resourceTarget';
import { roleResourceNames } from '../../../core/stores/roleResourceNames';
import type { FleetTools } from '../../platform/fleetTools';
import { pickOne } from '../../platform/prompts/prompts';
import { escapeIcons, iconLabel } from '../../platform/text/displayText';
import { formatRole, rolesSummary } from '../../platform/permissions/formatRole';
import type { FleetStores } from '../../../core/stores/fleetStores';
import { requireRight } from '../../platform/permissions/requireRight';
import type { OrganizationId } from '../../../core/model/ids';

/** A command's target, with its organization. */
export interface Resolved<T extends AccessTarget> extends AccessContext {
  readonly target: T;
}

interface TargetItem<T> extends vscode.QuickPickItem {
  readonly target: T;
}

/** Prompt for a command's target. */
interface TargetChoice<T> {
  readonly title: string;
  readonly items: (context: AccessContext) => Promise<readonly TargetItem<T>[]>;
  /** Formats the error for an organization without items, given its name. */
  readonly formatEmpty: (organization: string) => string;
}

/** Returns the member from a command's target, or prompts for one. */
export function resolveMember(
  tools: FleetTools,
  requestedTarget: MemberTarget | undefined,
): Promise<Resolved<MemberTarget>> {
  return resolve(tools, requestedTarget, {
    title: vscode.l10n.t('Select a Member'),
    items: memberItems,
    formatEmpty: (name) => vscode.l10n.t('"{0}" has no members. Invite one first.', name),
  });
}

/** Returns the invitation from a command's target, or prompts for one. */
export function resolveInvite(
  tools: FleetTools,
  requestedTarget: InviteTarget | undefined,
): Promise<Resolved<InviteTarget>> {
  return resolve(tools, requestedTarget, {
    title: vscode.l10n.t('Select an Invitation'),
    items: inviteItems,
    formatEmpty: (name) =>
      vscode.l10n.t('"{0}" has no open invitations. Invite a member first.', name),
  });
}

/** Returns the member or key from a command's target, or prompts for one. */
export function resolveIdentity(
  tools: FleetTools,
  requestedTarget: IdentityTarget | undefined,
): Promise<Resolved<IdentityTarget>> {
  return resolve(tools, requestedTarget, {
    title: vscode.l10n.t('Select a Member or an API Key'),
    items: identityItems,
    formatEmpty: (name) =>
      vscode.l10n.t(
        '"{0}" has no members or API keys. Invite a member or create an API key first.',
        name,
      ),
  });
}

/** Returns the role from a command's target, or prompts for one. */
export function resolveRole(
  tools: FleetTools,
  requestedTarget: RoleTarget | undefined,
): Promise<Resolved<RoleTarget>> {
  return resolve(tools, requestedTarget, {
    title: vscode.l10n.t('Select a Role'),
    items: roleItems,
    formatEmpty: (name) =>
      vscode.l10n.t(
        'No member or API key has a role on "{0}". Invite a member or create an API key first.',
        name,
      ),
  });
}

/**
 * Prompts for a member or API key in an organization. Members are listed first. Throws `canceled`.
 */
export async function pickIdentity(context: AccessContext, title: string): Promise<IdentityTarget> {
  const items = await identityItems(context);
  const placeholder = vscode.l10n.t(
    'Select a member or an API key of "{0}"',
    context.organization.name,
  );
  return (await pickOne(items, { title, placeholder })).target;
}

async function resolve<T extends AccessTarget>(
  tools: FleetTools,
  requestedTarget: T | undefined,
  { title, items, formatEmpty }: TargetChoice<T>,
): Promise<Resolved<T>> {
  const context = await resolveAccessContext(tools, requestedTarget);
  if (requestedTarget) return { ...context, target: requestedTarget };
  const choices = await items(context);
  const { name } = context.organization;
  if (choices.length === 0) {
    throw new FleetError('notFound', formatEmpty(name));
  }
  const { target } = await pickOne(choices, { title, placeholder: name });
  return { ...context, target };
}

async function memberItems({
  organization: { connectionId, organizationId },
  stores,
}: AccessContext): Promise<readonly TargetItem<MemberTarget>[]> {
  const [{ members }, roles] = await Promise.all([
    stores.members.list(organizationId),
    stores.roles.list(organizationId),
  ]);
  return members.map(({ id, email }) => {
    const assigned = roles.filter(({ identity }) => identity.id === id);
    const name = email || id;
    return {
      label: iconLabel('person', name),
      description: rolesSummary(assigned),
      target: { kind: 'member', connectionId, organizationId, userId: id, name },
    };
  });
}

async function inviteItems({
  organization: { connectionId, organizationId },
  stores,
}: AccessContext): Promise<readonly TargetItem<InviteTarget>[]> {
  const { invites } = await stores.members.list(organizationId);
  return invites.map(({ email, roles }) => ({
    label: iconLabel('mail', email),
    description: rolesSummary(roles),
    target: { kind: 'invite', connectionId, organizationId, email, name: email },
  }));
}

async function identityItems(
  context: AccessContext,
): Promise<readonly TargetItem<IdentityTarget>[]> {
  const { connectionId, organizationId } = context.organization;
  const [members, keys] = await Promise.all([
    memberItems(context),
    context.stores.apiKeys.list(organizationId),
  ]);
  const keyItems = keys.map(({ id, name, roles }): TargetItem<IdentityTarget> => ({
    label: iconLabel('key', name || id),
    description: rolesSummary(roles),
    target: { kind: 'apiKey', connectionId, organizationId, keyId: id, name: name || id },
  }));
  return [...members, ...keyItems];
}

async function roleItems({
  organization: { connectionId, organizationId },
  stores,
}: AccessContext): Promise<readonly TargetItem<RoleTarget>[]> {
  const roles = await stores.roles.list(organizationId, { fresh: true });
  const [resources, holders] = await Promise.all([
    roleResourceNames(stores, organizationId, roles),
    identityNames(stores, organizationId),
  ]);
  return inRoleOrder(roles).map((role) => {
    const name = resources.get(role.resourceId) ?? role.resourceId;
    const { type, id } = role.identity;
    const holder = { type, id, name: holders.get(id) ?? id };
    return {
      label: iconLabel(type === 'apiKey' ? 'key' : 'person', holder.name),
      description: escapeIcons(formatRole(role, name)),
      target: { kind: 'role', connectionId, organizationId, holder, role, name },
    };
  });
}

/** Organization whose access is viewed or changed, and the stores of its connection. */
export interface AccessContext {
  readonly organization: OrganizationTarget;
  readonly stores: FleetStores;
}

/** Returns the organization from a command's target, or prompts for one. */
export async function resolveAccessContext(
  { sessions, pickTarget }: FleetTools,
  requestedTarget: OrganizationTarget | AccessTarget | undefined,
): Promise<AccessContext> {
  if (requestedTarget === undefined || requestedTarget.kind === 'organization') {
    const organization = requestedTarget ?? (await pickTarget('organization'));
    return { organization, stores: sessions.stores(organization.connectionId) };
  }
  const { connectionId, organizationId } = requestedTarget;
  const stores = sessions.stores(connectionId);
  const { name } = await stores.organizations.get(organizationId);
  return { organization: { kind: 'organization', connectionId, organizationId, name }, stores };
}

/**
 * Throws `permission` if the API key doesn't have permission to change the organization's members.
 * The error names the users to contact.
 */
export async function requireOwnership({ organization, stores }: AccessContext): Promise<void> {
  await requireRight(stores, organization, 'administer');
}

/**
 * Returns the names of an organization's role holders by ID: email addresses for members, and names
 * for API keys. Skips holders that can't be read.
 */
export async function identityNames(
  { members, apiKeys }: FleetStores,
  organization: OrganizationId,
): Promise<ReadonlyMap<string, string>> {
  const [membership, keys] = await Promise.all([
    members.list(organization).catch(() => undefined),
    apiKeys.list(organization).catch(() => []),
  ]);
  return new Map<string, string>([
    ...(membership?.members ?? []).map(({ id, email }) => [id, email || id] as const),
    ...keys.map(({ id, name }) => [id, name || id] as const),
  ]);
}
