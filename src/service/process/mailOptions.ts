import { isIP } from 'node:net';
import { parseSmtpUrl, type SmtpServer } from '../mail/smtpUrl';
import { usageError } from './commandError';

/** How messages reach people. */
export interface MailOptions {
  /** Absent, messages are files. */
  smtp: SmtpServer | undefined;
  /** `Name <address>` or an address. */
  from: string;
  /** Without a slash at the end; absent, the address that the service listens on. */
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
 * Reads what the command line says about messages.
 * @throws CommandError (usage) that names the argument at fault, and never repeats a password.
 */
export function readMailOptions({ smtpUrl, from, publicUrl }: MailTexts): MailOptions {
  const smtp = smtpUrl === undefined ? undefined : parseSmtpUrl(smtpUrl);
  if (smtpUrl !== undefined && smtp === undefined) {
    // What was given may hold a password: it is not repeated.
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

/** What is behind the @ of the default sender: a name, because addresses there are unusual. */
function senderHost(url: URL | undefined): string {
  const host = url?.hostname ?? '';
  return host === '' || host.startsWith('[') || isIP(host) !== 0 ? 'localhost' : host;
}
