import { isIP } from 'node:net';
import { parseSmtpUrl, type SmtpServer } from '../mail/smtpUrl';
import { usageError } from './commandError';

/** Settings for messages to users. */
export interface MailOptions {
  /** SMTP server. If absent, messages are written to files. */
  smtp: SmtpServer | undefined;
  /** Sender: `Name <address>` or only an address. */
  from: string;
  /**
   * Public URL, without a trailing slash. If absent, the URL that the service listens on is used.
   */
  publicUrl: string | undefined;
}

interface MailTexts {
  smtpUrl: string | undefined;
  from: string | undefined;
  publicUrl: string | undefined;
}

const SENDER_NAME = 'Fleetwright';
const SENDER = /^([^<>"\p{Cc}]+ )?<?[^\s<>@",]+@[^\s<>@",]+>?$/u;

/**
 * Parses the mail options of the command line.
 * @throws CommandError (usage) that names the invalid argument but never contains a password.
 */
export function readMailOptions({ smtpUrl, from, publicUrl }: MailTexts): MailOptions {
  const smtp = smtpUrl === undefined ? undefined : parseSmtpUrl(smtpUrl);
  if (smtpUrl !== undefined && smtp === undefined) {
    // The input can contain a password, so the error doesn't quote it.
    throw usageError('--smtp-url must be smtp://user:password@host:port, or smtps:// for TLS');
  }
  const url = publicUrl === undefined ? undefined : readPublicUrl(publicUrl);
  const sender = from ?? `${SENDER_NAME} <no-reply@${senderHost(url)}>`;
  if (!SENDER.test(sender)) {
    throw usageError(
      `--mail-from must be an address, optionally with a name: Fleet <fleet@example.com>, not "${sender}"`,
    );
  }
  return { smtp, from: sender, publicUrl: url?.origin };
}

function readPublicUrl(text: string): URL {
  const url = URL.parse(text);
  const isHttp = url?.protocol === 'https:' || url?.protocol === 'http:';
  if (!isHttp || `${url.origin}/` !== url.href) {
    throw usageError(
      `--public-url must be an address without a path, such as https://fleet.example.com, not "${text}"`,
    );
  }
  return url;
}

/**
 * Returns the domain of the default sender. The domain is always a host name, because IP addresses
 * are unusual in email addresses.
 */
function senderHost(url: URL | undefined): string {
  const host = url?.hostname ?? '';
  return host === '' || host.startsWith('[') || isIP(host) !== 0 ? 'localhost' : host;
}
