import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import PostalMime, { type Email } from 'postal-mime';
import { generate } from 'selfsigned';
import { SMTPServer } from 'smtp-server';
import { waitUntil } from './waitUntil';

/** A message as a real mail server received it. */
export interface ReceivedMail {
  sender: string;
  recipients: string[];
  encrypted: boolean;
  /** The raw message. */
  raw: string;
  /** The parsed message, as a mail program would show it. */
  email: Email;
}

interface MailServerOptions {
  /** Login that clients must use to send messages; if absent, no login is required. */
  login?: { user: string; pass: string };
  /**
   * TLS, from the first byte or on request (STARTTLS), with a self-signed certificate; if absent,
   * connections aren't encrypted.
   */
  tls?: 'from the start' | 'STARTTLS';
}

/** A mail server on a free port of the loopback interface. */
export class MailServer {
  readonly received: ReceivedMail[] = [];
  /** Code and text with which recipients are rejected while this field is set. */
  rejection: { code: number; text: string } | undefined;
  private readonly server: SMTPServer;

  private constructor({ login, tls }: MailServerOptions, certificate: object) {
    this.server = new SMTPServer({
      ...certificate,
      authOptional: login === undefined,
      secure: tls === 'from the start',
      disabledCommands: tls === 'STARTTLS' ? [] : ['STARTTLS'],
      allowInsecureAuth: tls === undefined,
      onAuth: ({ username, password }, _session, callback) => {
        const isGood = username === login?.user && password === login?.pass;
        const reply = `5.7.8 no entry for ${String(username)} with ${String(password)}`;
        callback(isGood ? null : createReplyError(535, reply), { user: username });
      },
      onRcptTo: (_address, _session, callback) => {
        callback(
          this.rejection ? createReplyError(this.rejection.code, this.rejection.text) : null,
        );
      },
      onData: (stream, session, callback) => {
        void buffer(stream).then(async (bytes) => {
          const { mailFrom, rcptTo } = session.envelope;
          this.received.push({
            sender: mailFrom ? mailFrom.address : '',
            encrypted: session.secure,
            recipients: rcptTo.map(({ address }) => address),
            raw: bytes.toString('utf8'),
            email: await PostalMime.parse(bytes),
          });
          callback();
        });
      },
    });
    // Some tests abort client connections, so errors are expected.
    this.server.on('error', () => undefined);
  }

  /** Starts the server on a free port. */
  static async start(options: MailServerOptions = {}): Promise<MailServer> {
    const server = new MailServer(options, options.tls ? await newCertificate() : {});
    server.server.listen(0, '127.0.0.1');
    await once(server.server.server, 'listening');
    return server;
  }

  get port(): number {
    return (this.server.server.address() as AddressInfo).port;
  }

  /** The link in the newest message. */
  get newestLink(): string {
    return /^https?:\/\/\S+$/m.exec(this.received.at(-1)?.email.text ?? '')?.[0] ?? '';
  }

  /** Waits until a total number of messages has arrived. */
  arrived(count: number): Promise<void> {
    return waitUntil(() => this.received.length >= count, {
      describeState: () => `${count} messages, but: ${this.received.length}`,
    });
  }

  stop(): Promise<void> {
    return new Promise((resolve) => {
      this.server.close(resolve);
    });
  }
}

async function newCertificate(): Promise<{ cert: string; key: string }> {
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'mail' }], {
    keyType: 'ec',
  });
  return { cert, key };
}

function createReplyError(responseCode: number, text: string): Error {
  return Object.assign(new Error(text), { responseCode });
}
