import { oneLine } from '../mail/mailContent';
import type { Mail } from '../mail/mailer';
import type { Micros } from '../store/micros';
import { letter, formatTimestamp } from './mailLayout';

interface InviteMail {
  to: string;
  organizationName: string;
  /** Name of the inviting API key. */
  inviterName: string;
  /** Descriptions of the roles. */
  roles: readonly string[];
  url: string;
  expiresAt: Micros;
}

/** Returns the email that invites a user to an organization. */
export function inviteMail({ to, url, roles, expiresAt, ...names }: InviteMail): Mail {
  const organization = oneLine(names.organizationName);
  return letter({
    to,
    subject: `Invitation to ${organization}`,
    opening:
      `"${oneLine(names.inviterName)}" invites you (${to}) to the organization ` +
      `"${organization}", whose robots are managed with Fleetwright.`,
    roles,
    act: 'Accept the invitation',
    url,
    closing:
      `Opening the link accepts the invitation. The link works once, until ${formatTimestamp(expiresAt)}. ` +
      "If you weren't expecting this invitation, you can ignore this email.",
  });
}
