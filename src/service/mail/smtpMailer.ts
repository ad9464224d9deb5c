import { createTransport } from 'nodemailer';
import type { Clock } from '../../base/clock';
import { isLoopbackHost } from '../server/requestGuard';
import { mailContent } from './mailContent';
import { type Mail, MailError, type Mailer } from './mailer';
import type { SmtpServer } from './smtpUrl';

/** How long a server may take to be reached, to greet and to answer one command. */
const STEP_TIMEOUT_MS = 10_000;
/** How long a message may take in all: less than clients wait for the call that sends it. */
const SEND_TIMEOUT_MS = 20_000;
const LONGEST_REASON = 300;

interface SmtpMailerOptions {
  server: SmtpServer;
  /** `Name <address>` or an address. */
  from: string;
  clock: Clock;
  sendTimeoutMs?: number | undefined;
}

/** Hands messages to a mail server. */
export class SmtpMailer implements Mailer {
  readonly #transport;

  constructor(private readonly options: SmtpMailerOptions) {
    const { host, port, secure, auth } = options.server;
    const isLocal = isLoopbackHost(host);
    this.#transport = createTransport({
      host,
      port,
      secure,
      auth,
      // A password crosses a network encrypted or not at all.
      requireTLS: auth !== undefined && !isLocal,
      // Servers of this machine have certificates that nobody signed, and nobody is in between.
      tls: { rejectUnauthorized: !isLocal },
      connectionTimeout: STEP_TIMEOUT_MS,
      greetingTimeout: STEP_TIMEOUT_MS,
      socketTimeout: STEP_TIMEOUT_MS,
      dnsTimeout: STEP_TIMEOUT_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  }

  async send(mail: Mail): Promise<void> {
    const { from, clock, server, sendTimeoutMs = SEND_TIMEOUT_MS } = this.options;
    const signal = AbortSignal.timeout(sendTimeoutMs);
    try {
      await this.#transport.sendMail({ ...mailContent(mail, from, clock.now()), signal });
    } catch (error) {
      const reason = signal.aborted
        ? `no response within ${String(Math.ceil(sendTimeoutMs / 1000))} seconds`
        : reasonOf(error, server);
      // Without the library's error as cause: it may hold the dialogue with the server.
      throw new MailError(`the mail server ${server.host} didn't accept the message: ${reason}`);
    }
  }
}

/** What the server was refusing, by the library's code for it. */
const REFUSALS: Readonly<Record<string, string>> = {
  EAUTH: 'it rejected the login: ',
  ETLS: "it didn't encrypt the connection with TLS: ",
};

/** What the server or the system said, in one line and without the credentials. */
function reasonOf(error: unknown, { auth }: SmtpServer): string {
  const { code, message, response } = error as Partial<
    Record<'code' | 'message' | 'response', string>
  >;
  const said = (response || message || 'unknown failure').replaceAll(/\s+/g, ' ').trim();
  return `${REFUSALS[code ?? ''] ?? ''}${withoutSecrets(said, auth).slice(0, LONGEST_REASON)}`;
}

// Servers repeat what they refuse, also in the encoding in which it was sent.
function withoutSecrets(text: string, auth: SmtpServer['auth']): string {
  if (auth === undefined) {
    return text;
  }
  const { user, pass } = auth;
  const secrets = [pass, user, base64(`\0${user}\0${pass}`), base64(pass), base64(user)];
  return secrets
    .filter((secret) => secret !== '')
    .reduce((rest, secret) => rest.replaceAll(secret, '***'), text);
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
