import { createTransport } from 'nodemailer';
import type { Clock } from '../../base/clock';
import { isLoopbackHost } from '../server/requestGuard';
import { type Mail, mailContent, type Mailer, MailError, type SmtpServer } from './mailer';

/** Timeout for connecting to a server, for its greeting, and for its response to a command. */
const STEP_TIMEOUT_MS = 10_000;
/**
 * Timeout for sending a message. It is shorter than the timeout for the client call that triggers
 * the message.
 */
const SEND_TIMEOUT_MS = 20_000;
const MAX_REASON_LENGTH = 300;

interface SmtpMailerOptions {
  server: SmtpServer;
  /** Sender, as `Name <address>` or only an address. */
  from: string;
  clock: Clock;
  sendTimeoutMs?: number | undefined;
}

/** Sends messages to a mail server. */
export class SmtpMailer implements Mailer {
  private readonly transport;

  constructor(private readonly options: SmtpMailerOptions) {
    const { host, port, secure, auth } = options.server;
    const isLocal = isLoopbackHost(host);
    this.transport = createTransport({
      host,
      port,
      secure,
      auth,
      // A password is never sent over a network without encryption.
      requireTLS: auth !== undefined && !isLocal,
      // Mail servers on this computer use self-signed certificates, and the connection can't be
      // intercepted.
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
      await this.transport.sendMail({ ...mailContent(mail, from, clock.now()), signal });
    } catch (error) {
      const reason = signal.aborted
        ? `no response within ${String(Math.ceil(sendTimeoutMs / 1000))} seconds`
        : describeSendError(error, server);
      // The library's error isn't set as the cause, because it might contain the entire exchange
      // with the server.
      throw new MailError(`the mail server ${server.host} didn't accept the message: ${reason}`);
    }
  }
}

/** Steps that the server can reject, by the library's error code. */
const REFUSALS: Readonly<Record<string, string>> = {
  EAUTH: 'it rejected the login: ',
  ETLS: "it didn't encrypt the connection with TLS: ",
};

/**
 * Returns the error message from the server or the operating system on one line, without
 * credentials.
 */
function describeSendError(error: unknown, { auth }: SmtpServer): string {
  const { code, message, response } = error as Partial<
    Record<'code' | 'message' | 'response', string>
  >;
  const reason = (response || message || 'unknown failure').replaceAll(/\s+/g, ' ').trim();
  return `${REFUSALS[code ?? ''] ?? ''}${withoutSecrets(reason, auth).slice(0, MAX_REASON_LENGTH)}`;
}

// Removes credentials. Servers repeat rejected input, including in encoded form.
function withoutSecrets(text: string, auth: SmtpServer['auth']): string {
  if (auth === undefined) return text;
  const { user, pass } = auth;
  const secrets = [pass, user, base64(`\0${user}\0${pass}`), base64(pass), base64(user)];
  return secrets
    .filter((secret) => secret !== '')
    .reduce((rest, secret) => rest.replaceAll(secret, '***'), text);
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
