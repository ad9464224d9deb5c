import type { SendMailOptions } from 'nodemailer';
import type { Mail } from './mailer';

/**
 * Returns the message in the format that the mail library expects (RFC 5322): plain text with an
 * HTML alternative. Regardless of the message's content, the library doesn't read from files or
 * URLs.
 */
export function mailContent(mail: Mail, from: string, date: Date): SendMailOptions {
  return {
    from,
    to: { name: '', address: mail.to },
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    date,
    headers: {
      // Prevents out-of-office and other automatic replies (RFC 3834).
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
    },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

const MAX_NAME_LENGTH = 120;
/** Control characters, line separators, and marks that change the direction of adjacent text. */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;

/**
 * Returns a user-provided name as one short line that can't be mistaken for other parts of the
 * message.
 */
export function oneLine(name: string): string {
  const line = name.replaceAll(UNPRINTABLE, ' ').replaceAll(/\s+/gu, ' ').trim();
  const characters = Array.from(line);
  return characters.length <= MAX_NAME_LENGTH
    ? line
    : `${characters.slice(0, MAX_NAME_LENGTH - 1).join('')}…`;
}
