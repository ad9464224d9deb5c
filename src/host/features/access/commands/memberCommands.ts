import * as vscode from 'vscode';
import { FleetError } from '../../../../core/api/errors';
import type {
  InviteTarget,
  MemberTarget,
  OrganizationTarget,
} from '../../../../core/model/resourceTarget';
import { displayName, toDisplayText } from '../../../../core/model/displayText';
import type { ConnectionId, UserId } from '../../../../core/model/ids';
import type { FleetStores } from '../../../../core/stores/fleetStores';
import { loadEmailRule } from '../../../../core/validation/emailRule';
import type { FleetTools } from '../../../platform/fleetTools';
import {
  confirm,
  confirmByName,
  type InputProblem,
  pickOne,
  promptForText,
} from '../../../platform/prompts/prompts';
import { iconLabel } from '../../../platform/text/displayText';
import { requireConnection } from '../../../platform/sessionProvider';
import { copyText } from '../../../platform/commands/statusMessage';
import {
  requireOwnership,
  resolveAccessContext,
  resolveInvite,
  resolveMember,
} from '../resolveAccess';
import type { Membership } from '../../../../core/model/access';
import { pickRoles } from '../pickRole';

export async function copyEmail({ name }: MemberTarget | InviteTarget): Promise<void> {
  await copyText(name);
}

/** Removes a member after the user types the member's email address to confirm it. */
export async function removeMember(
  tools: FleetTools,
  requestedTarget: MemberTarget | undefined,
): Promise<void> {
  const context = await resolveMember(tools, requestedTarget);
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
 * Lists a member's organizations that are visible to the API key, and reveals the organization that
 * the user selects.
 */
export async function showMemberOrganizations(
  tools: FleetTools,
  requestedTarget: MemberTarget | undefined,
): Promise<void> {
  const { target, stores } = await resolveMember(tools, requestedTarget);
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
    prompt: vscode.l10n.t('Full email address of a member'),
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

/**
 * Invites a user by email address, with the roles that the user gets when accepting the invitation.
 */
export async function inviteMember(
  tools: FleetTools,
  requestedTarget: OrganizationTarget | undefined,
): Promise<void> {
  const context = await resolveAccessContext(tools, requestedTarget);
  const { organization, stores } = context;
  const { connectionId, organizationId, name } = organization;
  await requireOwnership(context);
  const title = vscode.l10n.t('Invite Member to "{0}"', toDisplayText(name));
  const [isEmail, membership] = await Promise.all([
    loadEmailRule(),
    stores.members.list(organizationId, { fresh: true }),
  ]);
  const typed = await promptForText({
    title,
    prompt: vscode.l10n.t('Email address of the person to invite'),
    placeholder: 'name@example.com',
    validate: (value) => emailProblem(value.trim(), isEmail) ?? known(value.trim(), membership),
  });
  const email = typed.trim();
  const roles = await pickRoles({ stores, organization: { id: organizationId, name }, title });
  const sendEmail = await pickDelivery(title, email);
  const invite = await stores.members.invite(organizationId, { email, roles, sendEmail });
  void vscode.window.showInformationMessage(
    sendEmail
      ? vscode.l10n.t('Sent {0} an email invitation to "{1}".', invite.email, toDisplayText(name))
      : vscode.l10n.t('Invited {0}. The roles apply the next time they sign in.', invite.email),
  );
  const target = { connectionId, organizationId, email: invite.email, name: invite.email };
  await tools.reveal({ kind: 'invite', ...target });
}

/** Resends an invitation email. */
export async function resendInvite(
  tools: FleetTools,
  requestedTarget: InviteTarget | undefined,
): Promise<void> {
  const context = await resolveInvite(tools, requestedTarget);
  await requireOwnership(context);
  const { target, stores } = context;
  await stores.members.resend(target.organizationId, target.email);
  void vscode.window.showInformationMessage(
    vscode.l10n.t('Sent the invitation to {0} again.', toDisplayText(target.email)),
  );
}

/** Cancels an invitation, which makes its link invalid. */
export async function revokeInvitation(
  tools: FleetTools,
  requestedTarget: InviteTarget | undefined,
): Promise<void> {
  const context = await resolveInvite(tools, requestedTarget);
  await requireOwnership(context);
  const { target, stores, organization } = context;
  await confirm(
    vscode.l10n.t('Revoke the invitation to {0}?', toDisplayText(target.email)),
    vscode.l10n.t(
      'The invitation can no longer be accepted, and any link already sent stops working. Organization: {0}.',
      toDisplayText(organization.name),
    ),
    vscode.l10n.t('Revoke Invitation'),
  );
  await stores.members.cancelInvitation(target.organizationId, target.email);
}

function known(email: string, { members, invites }: Membership): InputProblem | undefined {
  const folded = email.toLowerCase();
  const isSame = (other: string): boolean => other.toLowerCase() === folded;
  if (members.some(({ emails }) => emails.some(isSame))) {
    return {
      message: vscode.l10n.t(
        '{0} is already a member. Add a role to the existing member instead.',
        email,
      ),
      severity: 'error',
    };
  }
  if (!invites.some((invite) => isSame(invite.email))) return undefined;
  return {
    message: vscode.l10n.t('{0} is already invited. Edit or resend that invitation.', email),
    severity: 'error',
  };
}

async function pickDelivery(title: string, email: string): Promise<boolean> {
  const { sendEmail } = await pickOne(
    [
      {
        label: vscode.l10n.t('$(mail) Send Email'),
        detail: vscode.l10n.t(
          '{0} becomes a member by following the link in the email.',
          toDisplayText(email),
        ),
        sendEmail: true,
      },
      {
        label: vscode.l10n.t("$(sign-in) Don't Send Email"),
        detail: vscode.l10n.t(
          '{0} becomes a member the next time they sign in with this address.',
          toDisplayText(email),
        ),
        sendEmail: false,
      },
    ],
    { title, placeholder: vscode.l10n.t('How do you want to invite {0}?', toDisplayText(email)) },
  );
  return sendEmail;
}

/**
 * Validates an email address while the user is typing it. Returns undefined if the address is valid
 * or can still become valid.
 */
function emailProblem(text: string, isEmail: (text: string) => boolean): InputProblem | undefined {
  if (isEmail(text)) return undefined;
  // Text without "@" is incomplete, but text with more than one "@" can't become valid.
  const hopeless = /\s|@.*@/u.test(text);
  return {
    message: vscode.l10n.t('Enter a valid email address, for example name@example.com.'),
    severity: hopeless ? 'error' : 'incomplete',
  };
}
