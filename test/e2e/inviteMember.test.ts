import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import PostalMime from 'postal-mime';
import { connectPublicClient } from '../publicClient/publicClient';
import { type JourneyHost, startJourney } from './support/journeyHost';
import { uiText } from './support/texts';

type PublicClient = Awaited<ReturnType<typeof connectPublicClient>>;

const email = 'ada.palmgren@example.com';
const locationName = 'Application Lab';

describe('inviting a member, from the prompt to the removal', () => {
  let journey: JourneyHost;
  let client: PublicClient;
  let organizationId: string;
  before(async () => {
    journey = await startJourney();
    const { credentials } = journey.service;
    client = await connectPublicClient(credentials);
    organizationId = credentials.organizationId;
  });

  afterEach(function () {
    return journey.saveFailureScreenshot(this);
  });

  after(() => journey.close());

  /** Returns the recipients and links of the messages in the outbox, in chronological order. */
  async function sentMessages(): Promise<{ to: string[]; link: string }[]> {
    const outbox = join(dirname(journey.service.credentialsFile), 'outbox');
    const files = (await readdir(outbox)).toSorted();
    return Promise.all(
      files.map(async (file) => {
        const message = await PostalMime.parse(await readFile(join(outbox, file)));
        const [link = ''] = /http:\S+\/invites\/[^\s>]+/.exec(message.text ?? '') ?? [];
        return { to: (message.to ?? []).map(({ address }) => address ?? ''), link };
      }),
    );
  }

  /** Returns the roles of a member, according to a third-party client. */
  async function readRoles(address: string): Promise<string[]> {
    const { members } = await client.appClient.listOrganizationMembers(organizationId);
    const member = members.find(({ emails }) => emails.includes(address));
    if (!member) return [];
    const all = await client.appClient.listAuthorizations(organizationId);
    return all
      .filter(({ identityId }) => identityId === member.userId)
      .map(({ authorizationId }) => authorizationId);
  }

  it('prompts for an address, a role, and its resource, and reports errors', async () => {
    const { fleet, quickInput, messages } = journey.vsCode.workbench;
    await fleet.open();
    await fleet.menu(uiText('members'), 'fleetwright.member.invite');
    await quickInput.enterText('ada.palmgren');
    await quickInput.problem.filter({ hasText: uiText('invalidEmail') }).waitFor();
    await quickInput.type('omar.haddad@norrvik.example');
    await quickInput.problem
      .filter({ hasText: uiText('alreadyMember', 'omar.haddad@norrvik.example') })
      .waitFor();
    await quickInput.enterText(email);
    await quickInput.pick(uiText('operator'));
    await quickInput.pick(locationName);
    await quickInput.pick(uiText('continue'));
    await quickInput.pick(uiText('sendEmail'));
    await messages.waitForMessage(uiText('emailInvitationSent', email, 'Norrvik Automation'));
    await fleet.selectedRow(`${email}, ${uiText('invited')}`).waitFor();
  });

  it('adds a role to the invitation and removes one, but never the last', async () => {
    const { fleet, quickInput, messages } = journey.vsCode.workbench;
    await fleet.menu(email, 'fleetwright.invite.change');
    await quickInput.pick(uiText('addRole'));
    await quickInput.pick(uiText('owner'));
    await quickInput.pick('Gothenburg Plant');
    await quickInput.pick(uiText('continue'));
    await quickInput.pick(uiText('ownerOfLocation', 'Gothenburg Plant'));
    await quickInput.pick(uiText('remove'));
    await messages.pressDialogButton(uiText('removeRole'));
    await quickInput.row(uiText('addRole')).waitFor();
    await quickInput.row(uiText('ownerOfLocation')).waitFor({ state: 'detached' });
    await quickInput.pick(uiText('operatorOfLocation', locationName));
    await quickInput.pick(uiText('remove'));
    await messages.dialog.filter({ hasText: uiText('invitationNeedsRole') }).waitFor();
    await messages.pressDialogButton(uiText('cancel'));
  });

  it('sends the invitation again, with a link that adds the member', async () => {
    const { fleet, messages } = journey.vsCode.workbench;
    await fleet.menu(email, 'fleetwright.invite.resend');
    await messages.waitForMessage(uiText('invitationResent', email));
    const [first, second] = await sentMessages();
    assert.deepEqual([first?.to, second?.to], [[email], [email]]);
    assert.ok(first && second);
    assert.equal((await fetch(first.link)).status, 404);
    const page = await fetch(second.link);
    assert.equal(page.status, 200);
    assert.match(await page.text(), /Norrvik Automation/);
    assert.deepEqual(await readRoles(email), ['location_operator']);
    assert.equal((await fetch(second.link)).status, 410);
  });

  it('shows the member with the role after a refresh', async () => {
    const { fleet } = journey.vsCode.workbench;
    await journey.vsCode.workbench.run('fleetwright.fleet.refresh');
    await fleet.row(`${email}, ${uiText('operatorOfALocation')}`).waitFor();
    await fleet.expand(email);
    await fleet.row(uiText('operatorOfLocation', locationName)).waitFor();
  });

  it('changes the role in one step', async () => {
    const { fleet, quickInput } = journey.vsCode.workbench;
    await fleet.menu(uiText('operatorOfLocation', locationName), 'fleetwright.role.change');
    await quickInput.pick(uiText('owner'));
    await quickInput.pick(locationName);
    await fleet.row(`${email}, ${uiText('ownerOfALocation')}`).waitFor();
    assert.deepEqual(await readRoles(email), ['location_owner']);
  });

  it('lists who has a role on the location, including inherited ones', async () => {
    const { fleet, quickInput } = journey.vsCode.workbench;
    await fleet.menu(locationName, 'fleetwright.resource.showRoles');
    await quickInput.title(uiText('rolesOn', locationName)).waitFor();
    await quickInput
      .row(uiText('ownerOfLocation', locationName))
      .filter({ hasText: email })
      .waitFor();
    await quickInput.row(uiText('ownerOfTheOrganization')).first().waitFor();
    await quickInput.leave();
  });

  it('removes the member only after the user types the address', async () => {
    const { fleet, quickInput } = journey.vsCode.workbench;
    await fleet.menu(email, 'fleetwright.member.remove');
    await quickInput.enterText('another key or member');
    await quickInput.problem.filter({ hasText: uiText('typeToConfirm', email) }).waitFor();
    await quickInput.enterText(email);
    await fleet.row(email).waitFor({ state: 'detached' });
    assert.deepEqual(await readRoles(email), []);
  });
});
