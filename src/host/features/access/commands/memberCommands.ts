import * as vscode from 'vscode';
import { FleetError } from '../../../../core/api/errors';
import type { InviteTarget, MemberTarget } from '../../../../core/model/accessTarget';
import { displayName, toDisplayText } from '../../../../core/model/toDisplayText';
import type { ConnectionId, UserId } from '../../../../core/model/ids';
import type { FleetStores } from '../../../../core/stores/fleetStores';
import { loadEmailRule } from '../../../../core/validation/emailRule';
import type { FleetTools } from '../../../platform/fleetTools';
import { pickOne, promptForText, confirmByName } from '../../../platform/prompts';
import { iconLabel } from '../../../platform/toQuickPickText';
import { requireConnection } from '../../../platform/requireConnection';
import { copyText } from '../../../platform/statusMessage';
import { requireOwnership } from '../accessTools';
import { emailProblem } from '../emailProblem';
import { resolveMember } from '../resolveAccess';

export async function copyEmail({ name }: MemberTarget | InviteTarget): Promise<void> {
  await copyText(name);
}

/** Removes a member after the user types the member's email address to confirm it. */
export async function removeMember(
  tools: FleetTools,
  given: MemberTarget | undefined,
): Promise<void> {
  const context = await resolveMember(tools, given);
  await requireOwnership(context);
  const { target, stores, organization } = context;
  const { userId: id, organizationId, name } = target;
  const roles = await stores.roles.list(organizationId, { fresh: true });
  const count = roles.filter(({ identity }) => identity.id === id).length;
  await confirmByName({
    title: vscode.l10n.t('Remove Member "{0}"', toDisplayText(name)),
    prompt: [
      vscode.l10n.t('Organization: {0}.', toDisplayText(organization.name)),
      count === 1
        ? vscode.l10n.t('This also removes 1 role.')
        : vscode.l10n.t('This also removes {0} roles.', count),
      vscode.l10n.t('Type "{0}" to confirm.', name),
    ].join(' '),
    name,
  });
  await stores.members.remove({ id, organizationId });
}

/**
 * Lists the organizations of a member that are visible to the API key, and reveals the organization
 * that the user selects.
 */
export async function showMemberOrganizations(
  tools: FleetTools,
  given: MemberTarget | undefined,
): Promise<void> {
  const { target, stores } = await resolveMember(tools, given);
  const title = vscode.l10n.t('Organizations of {0}', toDisplayText(target.name));
  await goTo(tools, target.connectionId, await organizationItems(stores, target), {
    title,
    placeholder: vscode.l10n.t('Select where to show the member'),
  });
}

/** Finds the user with an email address in all organizations that are visible to the API key. */
export async function findMember(tools: FleetTools): Promise<void> {
  const active = requireConnection(tools.sessions);
  const stores = tools.sessions.stores(active.id);
  const title = vscode.l10n.t('Find Member by Email');
  const isEmail = await loadEmailRule();
  let found: UserId | undefined;
  const typed = await promptForText({
    title,
    prompt: vscode.l10n.t('The complete email address of a member'),
    placeholder: 'name@example.com',
    validate: (value) => emailProblem(value.trim(), isEmail),
    submit: async (value, signal) => {
      found = await findUserId(stores, value.trim(), signal);
    },
  });
  if (found === undefined) return;
  const member = { userId: found, name: typed.trim() };
  await goTo(tools, active.id, await organizationItems(stores, member), {
    title: `${title}: ${toDisplayText(member.name)}`,
    placeholder: vscode.l10n.t('User ID {0}', found),
  });
}

async function findUserId(
  stores: FleetStores,
  email: string,
  signal: AbortSignal,
): Promise<UserId> {
  try {
    return await stores.members.userIdByEmail(email, signal);
  } catch (error) {
    if (!(error instanceof FleetError && error.kind === 'notFound')) throw error;
    const message = vscode.l10n.t(
      'No member with this email address was found in the organizations whose members your API key can view.',
    );
    throw new FleetError('notFound', message, { cause: error });
  }
}

interface MemberItem extends vscode.QuickPickItem {
  /** Member to reveal; undefined if the item copies the ID instead. */
  readonly target: Omit<MemberTarget, 'connectionId'> | undefined;
  readonly userId: UserId;
}

async function organizationItems(
  stores: FleetStores,
  { userId, name }: Pick<MemberTarget, 'userId' | 'name'>,
): Promise<readonly MemberItem[]> {
  const organizations = await stores.members.listUserOrganizations(userId);
  return [
    ...organizations.map((organization): MemberItem => ({
      label: iconLabel('organization', displayName(organization)),
      description: organization.publicNamespace,
      target: { kind: 'member', organizationId: organization.id, userId, name },
      userId,
    })),
    { label: vscode.l10n.t('$(copy) Copy User ID'), detail: userId, target: undefined, userId },
  ];
}

async function goTo(
  tools: FleetTools,
  connectionId: ConnectionId,
  items: readonly MemberItem[],
  options: { readonly title: string; readonly placeholder: string },
): Promise<void> {
  const { target, userId } = await pickOne(items, options);
  if (target) await tools.reveal({ ...target, connectionId });
  else await copyText(userId);
}
