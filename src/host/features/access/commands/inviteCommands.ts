import * as vscode from 'vscode';
import type { InviteTarget } from '../../../../core/model/accessTarget';
import { toDisplayText } from '../../../../core/model/toDisplayText';
import type { Membership } from '../../../../core/model/membership';
import type { OrganizationTarget } from '../../../../core/model/resourceTarget';
import { loadEmailRule } from '../../../../core/validation/emailRule';
import type { FleetTools } from '../../../platform/fleetTools';
import { pickOne, promptForText, confirm, type InputProblem } from '../../../platform/prompts';
import { requireOwnership, resolveAccessContext } from '../accessTools';
import { emailProblem } from '../emailProblem';
import { pickRoles } from '../pickRoles';
import { resolveInvite } from '../resolveAccess';

/**
 * Invites a user by email address, with the roles that the user gets when accepting the invitation.
 */
export async function inviteMember(
  tools: FleetTools,
  given: OrganizationTarget | undefined,
): Promise<void> {
  const context = await resolveAccessContext(tools, given);
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

/** Resends the email of an invitation. */
export async function resendInvite(
  tools: FleetTools,
  given: InviteTarget | undefined,
): Promise<void> {
  const context = await resolveInvite(tools, given);
  await requireOwnership(context);
  const { target, stores } = context;
  await stores.members.resend(target.organizationId, target.email);
  void vscode.window.showInformationMessage(
    vscode.l10n.t('Sent the invitation to {0} again.', toDisplayText(target.email)),
  );
}

/** Cancels an invitation, which makes its link invalid. */
export async function withdrawInvite(
  tools: FleetTools,
  given: InviteTarget | undefined,
): Promise<void> {
  const context = await resolveInvite(tools, given);
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
