import type { SendMailOptions } from 'nodemailer';

/** Message to one address, in plain text and HTML. */
export interface Mail {
  /** Address without a display name. */
  to: string;
  subject: string;
  text: string;
  html: string;
}

/** Sends messages to a mail server or writes them to files. */
export interface Mailer {
  /** @throws MailError if the message wasn't accepted. */
  send(mail: Mail): Promise<void>;
}

/**
 * Error for a message that wasn't accepted. The error's text contains the reason, without
 * credentials.
 */
export class MailError extends Error {
  override readonly name = 'MailError';
}

/** Discards messages. Used for in-memory fleets, whose messages no one reads. */
export const discardingMailer: Mailer = { send: () => Promise.resolve() };

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

/** Server for sending messages, and its credentials. */
export interface SmtpServer {
  host: string;
  port: number;
  /**
   * True to use TLS from the start. If false, the connection is upgraded to TLS if the server
   * supports it.
   */
  secure: boolean;
  auth: { user: string; pass: string } | undefined;
}

/** Default ports for submission with STARTTLS (RFC 6409) and with TLS from the start (RFC 8314). */
const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'smtp:': 587, 'smtps:': 465 };

/** Parses a URL in the form `smtp(s)://[user:password@]host[:port]`; undefined if it is invalid. */
export function parseSmtpUrl(text: string): SmtpServer | undefined {
  const url = URL.parse(text);
  const defaultPort = url && DEFAULT_PORTS[url.protocol];
  if (!defaultPort || url.hostname === '' || !isBare(url)) return undefined;
  try {
    const user = decodeURIComponent(url.username);
    return {
      host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
      port: url.port === '' ? defaultPort : Number(url.port),
      secure: url.protocol === 'smtps:',
      auth: user === '' ? undefined : { user, pass: decodeURIComponent(url.password) },
    };
  } catch {
    // The URL contains a percent sign that doesn't encode anything.
    return undefined;
  }
}

function isBare(url: URL): boolean {
  return url.search === '' && url.hash === '' && (url.pathname === '' || url.pathname === '/');
}
