import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import PostalMime from 'postal-mime';
import { chromiumFlags, ensureChromium } from '../../scripts/support/chromium';
import { type ServiceProcess, startService } from '../../scripts/support/serviceProcess';
import { appApi, connectPublicClient } from '../publicClient/publicClient';
import { MailServer } from '../support/mailServer';

type PublicClient = Awaited<ReturnType<typeof connectPublicClient>>;

const email = 'ada@example.com';

/**
 * Performs the actions of a user with a mail program and a browser; the public client represents
 * the owner.
 */
describe('inviting people', () => {
  let service: ServiceProcess;
  let folder: string;
  let mail: MailServer;
  let browser: Browser;
  let page: Page;
  let client: PublicClient;
  let organization: string;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'fleetwright-invites-'));
    mail = await MailServer.start();
    browser = await chromium.launch({
      executablePath: ensureChromium(),
      args: [...chromiumFlags],
    });
  });
  after(async () => {
    await browser.close();
    await mail.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    page = await browser.newPage();
  });
  afterEach(async () => {
    await page.close();
    await service.stop();
  });

  /** Starts a service, and signs its owner in. */
  async function start(...options: string[]): Promise<string> {
    service = await startService(options);
    client = await connectPublicClient(service.credentials);
    const [first] = await client.appClient.listOrganizations();
    organization = first?.id ?? '';
    return service.url;
  }

  const role = (authorizationId: string, resourceType: string, resourceId: string) =>
    new appApi.Authorization({
      authorizationType: 'role',
      authorizationId,
      resourceType,
      resourceId,
      organizationId: organization,
    });
  const owner = () => role('organization_owner', 'organization', organization);
  const heading = (name: string) => page.getByRole('heading', { level: 1, name });

  it('leads from the message over the browser to a working API key', async () => {
    await start('--ephemeral', '--smtp-url', `smtp://127.0.0.1:${mail.port}`);
    const { appClient } = client;
    const invite = await appClient.createOrganizationInvite(organization, email, [owner()]);
    assert.equal(invite?.email, email);
    await mail.arrived(1);

    const [response] = await Promise.all([
      page.waitForResponse(/invites/),
      page.goto(mail.newestLink),
    ]);
    assert.equal(response.status(), 200);
    await heading('Welcome to My Fleet').waitFor();
    const { members, invites } = await appClient.listOrganizationMembers(organization);
    assert.ok(members.some(({ emails }) => emails.includes(email)));
    assert.deepEqual(invites, []);

    await page.getByRole('link', { name: 'Sign in with your address' }).click();
    // Use the keyboard once the page is loaded and its field has the focus.
    await page.locator('input:focus').waitFor();
    await page.keyboard.type(email);
    await page.keyboard.press('Enter');
    await heading('Check your email').waitFor();
    await mail.arrived(2);
    await page.goto(mail.newestLink);
    await page.getByText('you can change the organization "My Fleet"').waitFor();
    await page.getByRole('button', { name: 'Create API Key' }).click();
    await heading('Your API key').waitFor();
    const [url = '', apiKeyId = '', apiKey = ''] = await page.locator('code').allTextContents();

    const ada = await connectPublicClient({ url, apiKeyId, apiKey });
    const [member] = members.filter(({ emails }) => emails.includes(email));
    await ada.appClient.deleteOrganizationMember(organization, member?.userId ?? '');
    await assert.rejects(ada.appClient.listOrganizations(), /unauthenticated/);
  });

  it('supports every operation on invitations for the public client', async () => {
    await start('--ephemeral', '--smtp-url', `smtp://127.0.0.1:${mail.port}`);
    const { appClient } = client;
    const location = await appClient.createLocation(organization, 'Hall');
    const onHall = role('location_operator', 'location', location?.id ?? '');
    await appClient.createOrganizationInvite(organization, email, [owner()], false);
    const update = (added: appApi.Authorization[], removed: appApi.Authorization[]) =>
      appClient.updateOrganizationInviteAuthorizations(organization, email, added, removed);
    await assert.rejects(update([onHall], [owner()]), /delete the invitation instead/);
    const added = await update([onHall], []);
    assert.equal(added?.authorizations.length, 2);
    const before = mail.received.length;
    await appClient.resendOrganizationInvite(organization, email);
    await mail.arrived(before + 1);
    await appClient.deleteOrganizationInvite(organization, email);
    await assert.rejects(appClient.resendOrganizationInvite(organization, email), /not_found/);
  });

  it('writes messages to the outbox if there is no mail server', async () => {
    const data = join(folder, 'data');
    const url = await start('--data', data, '--public-url', 'https://fleet.example.com');
    await client.appClient.createOrganizationInvite(organization, email, []);
    const [file = ''] = readdirSync(join(data, 'outbox'));
    const message = await PostalMime.parse(readFileSync(join(data, 'outbox', file)));
    assert.deepEqual(message.from, {
      name: 'Fleetwright',
      address: 'no-reply@fleet.example.com',
    });
    const [link = ''] =
      /https:\/\/fleet\.example\.com\/invites\/\S+/.exec(message.text ?? '') ?? [];
    await page.goto(url + new URL(link).pathname);
    await heading('Welcome to My Fleet').waitFor();
  });
});
