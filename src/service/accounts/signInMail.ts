import type { Mail } from '../mail/mailer';
import type { Micros } from '../store/micros';
import { letter, formatTimestamp } from './mailLayout';

/** Returns the email that lets the owner of an address sign in. */
export function signInMail(to: string, url: string, expiresAt: Micros): Mail {
  return letter({
    to,
    subject: 'Sign in to Fleetwright',
    opening: `Someone, probably you, requested to sign in to Fleetwright as ${to}.`,
    act: 'Sign in',
    url,
    closing:
      `The link works once, until ${formatTimestamp(expiresAt)}. ` +
      "If you didn't request this, you can ignore this email.",
  });
}
