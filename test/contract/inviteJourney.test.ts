import assert from 'node:assert/strict';
import { Code, createClient, type Interceptor } from '@connectrpc/connect';
import { createGrpcTransport } from '@connectrpc/connect-node';
import { AppService } from '../../src/gen/viam/app/v1/app_pb';
import { openFleetService, type FleetService } from '../../src/service/fleetService';
import { isAccountPage } from '../../src/service/accounts/accounts';
import { SmtpMailer } from '../../src/service/mail/smtpMailer';
import { type FleetServer, startFleetServer } from '../../src/service/server/fleetServer';
import { MailServer } from '../support/mailServer';
import { http1Request } from '../support/rawHttp';
import { RecordingLogger } from '../support/recordingLogger';
import { signIn } from '../support/serviceClients';
import { TestClock } from '../support/testClock';
import type { AppClient } from './deployment';
import { assertRejected, newOrganization } from './fleetFixture';

const WEEK_MS = 7 * 24 * 3600 * 1000;
const EMAIL = 'ada@example.com';
const PASSWORD = 'canary-of-the-mail-server';

describe('invitations through a real mail server', () => {
  const logger = new RecordingLogger();
  let clock: TestClock;
  let mail: MailServer;
  let service: FleetService;
  let server: FleetServer;
  let owner: AppClient;
  let organizationId: string;

  beforeEach(async () => {
    clock = new TestClock();
    logger.lines.length = 0;
    const login = { user: 'fleet', pass: PASSWORD };
    mail = await MailServer.start({ login });
    const { port } = mail;
    service = await openFleetService({
      logger,
      clock,
      mailer: new SmtpMailer({
        server: { host: '127.0.0.1', port, secure: false, auth: login },
        from: 'Fleet <fleet@example.com>',
        clock,
      }),
      publicUrl: () => server.url,
    });
    server = await startFleetServer({
      host: '127.0.0.1',
      port: 0,
      routes: service.routes,
      interceptors: service.interceptors,
      admit: service.admit,
      httpRoutes: service.httpRoutes,
      ownPages: { isPage: isAccountPage },
      logger,
    });
    const { apiKeyId, apiKey } = await service.bootstrap();
    owner = await signInAt(server.url, apiKeyId, apiKey);
    ({ id: organizationId } = await newOrganization(owner, 'Hafen & Söhne ⚓'));
  });
  afterEach(async () => {
    await server.close();
    await service.close();
    await mail.stop();
  });

  const invite = (email = EMAIL) => owner.createOrganizationInvite({ organizationId, email });
  const members = async (): Promise<string[]> =>
    (await owner.listOrganizationMembers({ organizationId })).members.flatMap(
      (each) => each.emails,
    );

  it('add anyone who opens the link in the message as a member', async () => {
    await invite();
    const [message] = mail.received;
    assert.deepEqual(message?.recipients, [EMAIL]);
    assert.equal(message.email.subject, 'Invitation to Hafen & Söhne ⚓');
    assert.match(
      message.email.text ?? '',
      /As an owner, you can change the organization "Hafen & Söhne ⚓"/,
    );
    assert.match(
      message.email.html ?? '',
      /As an owner, you can change the organization &quot;Hafen &amp; Söhne ⚓&quot;/,
    );
    assert.match(message.email.text ?? '', /until 8\sMarch\s2026\sat\s12:00\sUTC/);
    const page = await http1Request(mail.newestLink);
    assert.equal(page.status, 200);
    assert.match(page.body, /Welcome to Hafen &amp; Söhne ⚓/);
    assert.deepEqual(await members(), [EMAIL]);
    assert.equal((await http1Request(mail.newestLink)).status, 410);
  });

  it('serve pages that leak neither their address nor their content', async () => {
    await invite();
    const { headers, body } = await http1Request(mail.newestLink);
    const policy = String(headers['content-security-policy']);
    const [, nonce = ''] = /style-src 'nonce-([^']+)'/.exec(policy) ?? [];
    assert.match(policy, /^default-src 'none'; /);
    assert.ok(body.includes(`<style nonce="${nonce}">`));
    assert.equal(headers['referrer-policy'], 'no-referrer');
    assert.equal(headers['cache-control'], 'no-store');
    assert.ok(!/<script|https?:/.test(body));
    assert.ok(!JSON.stringify(logger.lines).includes(new URL(mail.newestLink).pathname));
  });

  it('are accepted only by opening the link, not by viewing, prefetching, or sending', async () => {
    await invite();
    const link = mail.newestLink;
    const send = (method: string, headers = {}) => http1Request(link, { method, headers });
    assert.equal((await send('HEAD')).status, 405);
    assert.equal((await send('POST')).status, 405);
    assert.equal((await send('DELETE')).headers.allow, 'GET');
    assert.equal((await send('GET', { 'sec-purpose': 'prefetch;prerender' })).status, 503);
    assert.equal((await send('GET', { origin: 'https://evil.example.com' })).status, 403);
    assert.deepEqual(await members(), []);
    assert.equal((await send('GET')).status, 200);
  });

  it('expire after a week, and are replaced by newer ones', async () => {
    await invite();
    const first = mail.newestLink;
    clock.advance(WEEK_MS + 1);
    assert.equal((await http1Request(first)).status, 410);
    await owner.resendOrganizationInvite({ organizationId, email: EMAIL });
    const second = mail.newestLink;
    await owner.resendOrganizationInvite({ organizationId, email: EMAIL });
    assert.equal((await http1Request(second)).status, 404);
    assert.deepEqual(await members(), []);
    assert.equal((await http1Request(mail.newestLink)).status, 200);
    assert.deepEqual(await members(), [EMAIL]);
  });

  it('leave nothing if the mail server rejects the message or is down, and report it', async () => {
    await invite('kept@example.com');
    const sentLink = mail.newestLink;
    mail.rejection = { code: 550, text: '5.1.1 unknown mailbox' };
    await assertRejected(invite(), Code.Unavailable, /127\.0\.0\.1 .*550 5\.1\.1 unknown mailbox/);
    await mail.stop();
    await assertRejected(invite(), Code.Unavailable, /ECONNREFUSED/);
    await assertRejected(
      owner.resendOrganizationInvite({ organizationId, email: 'kept@example.com' }),
      Code.Unavailable,
    );
    const { invites } = await owner.listOrganizationMembers({ organizationId });
    assert.deepEqual(
      invites.map(({ email }) => email),
      ['kept@example.com'],
    );
    assert.equal((await http1Request(sentLink)).status, 200);
    assert.ok(!JSON.stringify(logger.lines).includes(PASSWORD));
    mail = await MailServer.start();
  });

  it('prevent hostile names from becoming headers, other recipients, or HTML', async () => {
    for (const separator of ['\r\n', '\u2028', '\v', '\u202e']) {
      const withSeparator = newOrganization(owner, `Acme${separator}Bcc: eve@example.com`);
      await assertRejected(withSeparator, Code.InvalidArgument);
    }
    const name = 'Acme Bcc: eve@example.com <script>alert(1)</script>"';
    ({ id: organizationId } = await newOrganization(owner, name));
    await invite();
    const [message] = mail.received;
    assert.deepEqual(message?.recipients, [EMAIL]);
    const keys = message.email.headers.map(({ key }) => key);
    assert.ok(!keys.includes('bcc'), keys.join());
    assert.equal(
      message.email.subject,
      'Invitation to Acme Bcc: eve@example.com <script>alert(1)</script>"',
    );
    const page = await http1Request(mail.newestLink);
    for (const markup of [message.email.html ?? '', page.body]) {
      assert.ok(!markup.includes('<script'));
      assert.ok(markup.includes('&lt;script&gt;'));
    }
    for (const email of ['ada@example.com\r\nBcc: eve@example.com', 'a@b.example, eve@b.example']) {
      await assertRejected(invite(email), Code.InvalidArgument);
    }
    assert.equal(mail.received.length, 1);
  });

  it('sign an address in and create a working key', async () => {
    await owner.createOrganizationInvite({ organizationId, email: EMAIL, sendEmailInvite: false });
    assert.equal(mail.received.length, 0);
    const form = { 'content-type': 'application/x-www-form-urlencoded', origin: server.url };
    const send = (path: string, body: string, headers = {}) =>
      http1Request(server.url + path, { method: 'POST', headers: { ...form, ...headers }, body });
    const start = await http1Request(`${server.url}/sign-in`);
    assert.match(start.body, /<form method="post" action="\/sign-in"/);
    assert.match(String(start.headers['content-security-policy']), /form-action 'self'/);
    assert.equal(
      (await send('/sign-in', 'email=a', { origin: 'https://evil.example' })).status,
      403,
    );
    assert.equal((await send('/sign-in', 'email=a', { 'content-type': 'text/plain' })).status, 415);
    assert.equal((await send('/sign-in', `email=${'a'.repeat(300_000)}`)).status, 413);
    assert.equal((await send('/sign-in', `email=${encodeURIComponent(EMAIL)}`)).status, 200);
    await mail.arrived(1);
    assert.equal(mail.received[0]?.email.subject, 'Sign in to Fleetwright');
    const page = await http1Request(mail.newestLink);
    assert.match(
      page.body,
      /signed in as ada@example\.com\.[^]*As an owner, you can change the organization/,
    );
    // With `no-referrer`, a browser would submit the form with the origin "null".
    assert.equal(page.headers['referrer-policy'], 'same-origin');
    const [, token = ''] = /name="token" value="([^"]+)"/.exec(page.body) ?? [];
    assert.equal((await http1Request(`${server.url}/sign-in/key?token=${token}`)).status, 405);
    const shown = await send('/sign-in/key', `token=${token}`);
    const [address, id = '', key = ''] = [...shown.body.matchAll(/<code>([^<]+)</g)].map(
      ([, text]) => text,
    );
    assert.equal(address, server.url);
    const app = await signInAt(server.url, id, key);
    await app.updateOrganization({ organizationId, name: 'Renamed' });
    assert.ok(!JSON.stringify(logger.lines).includes(key));
  });
});

/** Signs in with a key over gRPC; returns the fleet client. */
async function signInAt(baseUrl: string, apiKeyId: string, apiKey: string): Promise<AppClient> {
  const token = await signIn({ url: baseUrl, apiKeyId, apiKey });
  const bearer: Interceptor = (next) => (request) => {
    request.header.set('authorization', `Bearer ${token}`);
    return next(request);
  };
  return createClient(AppService, createGrpcTransport({ baseUrl, interceptors: [bearer] }));
}
