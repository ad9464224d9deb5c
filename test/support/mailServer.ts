import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';

/** A message as a real mail server got it. */
export interface ReceivedMail {
  sender: string;
  recipients: string[];
  /** As it came over the wire. */
  raw: string;
  /** As a mail program reads it. */
  email: Email;
}

const WAITING_MS = 10_000;
const STEP_MS = 5;

interface MailServerOptions {
  /** Who may hand in messages; absent, anybody. */
  login?: { user: string; pass: string };
}

/** A mail server on a free port of the loopback interface. */
export class MailServer {
  readonly received: ReceivedMail[] = [];
  /** While set, recipients are refused with this code and text. */
  refusal: { code: number; text: string } | undefined;
  readonly #server: SMTPServer;

  private constructor(login: MailServerOptions['login']) {
    this.#server = new SMTPServer({
      authOptional: login === undefined,
      // The loopback has no certificate; the client insists on TLS elsewhere only.
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
      onAuth: ({ username, password }, _session, callback) => {
        const isGood = username === login?.user && password === login?.pass;
        const words = `5.7.8 no entry for ${String(username)} with ${String(password)}`;
        callback(isGood ? null : replyOf(535, words), { user: username });
      },
      onRcptTo: (_address, _session, callback) => {
        callback(this.refusal ? replyOf(this.refusal.code, this.refusal.text) : null);
      },
      onData: (stream, session, callback) => {
        void buffer(stream).then(async (bytes) => {
          const { mailFrom, rcptTo } = session.envelope;
          this.received.push({
            sender: mailFrom ? mailFrom.address : '',
            recipients: rcptTo.map(({ address }) => address),
            raw: bytes.toString('utf8'),
            email: await PostalMime.parse(bytes),
          });
          callback();
        });
      },
    });
  }

  static async start({ login }: MailServerOptions = {}): Promise<MailServer> {
    const server = new MailServer(login);
    server.#server.listen(0, '127.0.0.1');
    await once(server.#server.server, 'listening');
    return server;
  }

  get port(): number {
    return (this.#server.server.address() as AddressInfo).port;
  }

  /** The link in the newest message. */
  get newestLink(): string {
    return /^https?:\/\/\S+$/m.exec(this.received.at(-1)?.email.text ?? '')?.[0] ?? '';
  }

  /** Waits until so many messages have come in all. */
  async arrived(count: number): Promise<void> {
    const end = Date.now() + WAITING_MS;
    while (this.received.length < count) {
      if (Date.now() > end) {
        throw new Error(`${this.received.length} of ${count} messages came`);
      }
      await new Promise((resolve) => setTimeout(resolve, STEP_MS));
    }
  }

  stop(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(resolve);
    });
  }
}

function replyOf(responseCode: number, text: string): Error {
  return Object.assign(new Error(text), { responseCode });
}
