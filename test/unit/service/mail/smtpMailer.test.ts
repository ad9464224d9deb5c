import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { type Mail, MailError, type SmtpServer } from '../../../../src/service/mail/mailer';
import { SmtpMailer } from '../../../../src/service/mail/smtpMailer';
import { MailServer } from '../../../support/mailServer';
import { TestClock } from '../../../support/testClock';

const login = { user: 'robot@fleet.example', pass: 'p:a/s s' };
const mail: Mail = {
  to: 'ada@example.com',
  subject: 'Über “Acme” & Söhne ✓',
  text: 'Grüße\nhttps://fleet.example/invites/abc\n.\nEnde\n',
  html: '<p>Grüße</p>',
};

describe('the SMTP mailer', () => {
  let server: MailServer;
  const at = (changes: Partial<SmtpServer> = {}): SmtpServer => ({
    host: '127.0.0.1',
    port: server.port,
    secure: false,
    auth: login,
    ...changes,
  });
  const mailerTo = (to: SmtpServer, sendTimeoutMs?: number): SmtpMailer =>
    new SmtpMailer({
      server: to,
      from: 'Fleet Öst <no-reply@fleet.example>',
      clock: new TestClock(),
      sendTimeoutMs,
    });
  const failure = async (sending: Promise<void>): Promise<string> => {
    const error: unknown = await sending.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    assert.ok(error instanceof MailError, String(error));
    assert.equal(error.cause, undefined);
    return error.message;
  };

  beforeEach(async () => {
    server = await MailServer.start({ login });
  });
  afterEach(() => server.stop());

  it('sends a whole message, which can be read unchanged', async () => {
    await mailerTo(at()).send(mail);
    const [got] = server.received;
    assert.deepEqual(got?.recipients, ['ada@example.com']);
    assert.equal(got.sender, 'no-reply@fleet.example');
    const { email } = got;
    assert.deepEqual(email.to, [{ address: 'ada@example.com', name: '' }]);
    assert.deepEqual(email.from, { address: 'no-reply@fleet.example', name: 'Fleet Öst' });
    assert.equal(email.subject, mail.subject);
    assert.equal(email.text?.trimEnd(), mail.text.trimEnd());
    assert.equal(email.html?.trimEnd(), mail.html);
    assert.equal(email.date, '2026-03-01T12:00:00.000Z');
    assert.match(email.messageId ?? '', /^<.+@fleet\.example>$/);
    const header = (key: string) => email.headers.find((entry) => entry.key === key)?.value;
    assert.equal(header('auto-submitted'), 'auto-generated');
    assert.equal(header('mime-version'), '1.0');
    assert.ok(/^[\x20-\x7e\r\n\t]*$/.test(got.raw), 'only ASCII crosses the wire');
  });

  it('never sends headers from its input', async () => {
    const subject = 'Hello\r\nBcc: eve@example.com\r\n\r\nother body';
    await mailerTo(at()).send({ ...mail, subject });
    const [got] = server.received;
    assert.deepEqual(got?.recipients, ['ada@example.com']);
    assert.equal(got.email.bcc, undefined);
    assert.ok(!got.email.headers.some(({ key }) => key === 'bcc'));
    assert.match(got.email.subject ?? '', /^Hello Bcc: eve@example\.com/);
  });

  it("reports the server's message when the server rejects an email", async () => {
    server.rejection = { code: 550, text: '5.1.1 no such user' };
    assert.equal(
      await failure(mailerTo(at()).send(mail)),
      "the mail server 127.0.0.1 didn't accept the message: 550 5.1.1 no such user",
    );
    assert.deepEqual(server.received, []);
  });

  it('never repeats the credentials, even if the server does', async () => {
    const auth = { user: 'robot@fleet.example', pass: 'wrong-secret' };
    const message = await failure(mailerTo(at({ auth })).send(mail));
    assert.match(message, /: it rejected the login: 535 5\.7\.8 no entry for \*\*\* with \*\*\*$/);
  });

  it('sends no password unencrypted over a network', async () => {
    // An address that reaches this computer but isn't a loopback address.
    const message = await failure(mailerTo(at({ host: '0.0.0.0' })).send(mail));
    assert.match(message, /TLS/);
    assert.ok(!message.includes(login.pass));
    assert.deepEqual(server.received, []);
  });

  for (const tls of ['STARTTLS', 'from the start'] as const) {
    it(`encrypts, ${tls}, to a server on this machine with a self-signed certificate`, async () => {
      await server.stop();
      server = await MailServer.start({ login, tls });
      await mailerTo(at({ secure: tls === 'from the start' })).send(mail);
      assert.equal(server.received[0]?.encrypted, true);
    });

    it(`rejects a self-signed certificate of another machine, ${tls}`, async () => {
      await server.stop();
      server = await MailServer.start({ login, tls });
      const elsewhere = at({ host: '0.0.0.0', secure: tls === 'from the start' });
      assert.match(await failure(mailerTo(elsewhere).send(mail)), /certificate|self.signed/);
      assert.deepEqual(server.received, []);
    });
  }

  it('reports that the server does not respond', async () => {
    const gone = at();
    await server.stop();
    assert.match(await failure(mailerTo(gone).send(mail)), /ECONNREFUSED/);
    server = await MailServer.start({ login });
  });

  it('times out if the server sends nothing', async () => {
    const silent = createServer(() => undefined).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const message = await failure(mailerTo(at({ port }), 100).send(mail));
    assert.match(message, /no response within 1 seconds$/);
    silent.close();
  });
});
