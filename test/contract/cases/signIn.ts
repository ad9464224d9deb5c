import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { Code } from '@connectrpc/connect';
import { signIn } from '../deployment';
import { assertRejected, type FleetUnderTest, newMachine, newOrganization } from '../fleetFixture';
import { waitUntil } from '../../support/waitUntil';
import { requestSignInLink, keyOn, pressCreateKey, signInByMail } from '../signIn';

const MINUTE_MS = 60_000;
const MANY_INVITES = 8;

export function signInContract(fleet: FleetUnderTest): void {
  describe('signing in by email', () => {
    const newAddress = (): string => `mia-${randomUUID().slice(0, 8)}@example.com`;

    /**
     * Creates an invitation to operate a machine. It is applied when a user next signs in with the
     * address.
     */
    const newSilentInvite = async (email = newAddress()) => {
      const { owner } = fleet();
      const { id: organizationId } = await newOrganization(owner, 'Acme');
      const { machineId } = await newMachine(owner, organizationId);
      await owner.createOrganizationInvite({
        organizationId,
        email,
        sendEmailInvite: false,
        authorizations: [
          {
            authorizationType: 'role',
            authorizationId: 'robot_operator',
            resourceType: 'robot',
            resourceId: machineId,
          },
        ],
      });
      return { organizationId, machineId, email };
    };

    it('accepts the invitations that were created without a message', async () => {
      const { owner, deployment, clock } = fleet();
      const first = await newSilentInvite();
      const second = await newSilentInvite(first.email);
      const page = await signInByMail(deployment, first.email);
      assert.match(
        page,
        /You are signed in[^]*you can view and control the machine &quot;arm&quot;\./,
      );
      for (const { organizationId } of [first, second]) {
        const { members, invites } = await owner.listOrganizationMembers({ organizationId });
        assert.deepEqual(invites, []);
        assert.deepEqual(members[0]?.emails, [first.email]);
        const seconds = Math.floor(clock.now().getTime() / 1000);
        assert.equal(Number(members[0].lastLogin?.seconds), seconds);
      }
    });

    it('accepts many invitations once each while their links are opened', async () => {
      const { owner, deployment } = fleet();
      const email = newAddress();
      const links: string[] = [];
      const organizationIds: string[] = [];
      for (let count = 0; count < MANY_INVITES; count += 1) {
        const { organizationId } = await newSilentInvite(email);
        organizationIds.push(organizationId);
        await owner.resendOrganizationInvite({ organizationId, email });
        links.push(deployment.mailer.linkTo(email));
      }
      const [answers] = await Promise.all([
        Promise.all(links.map((link) => fetch(link))),
        signInByMail(deployment, email),
      ]);
      for (const { status } of answers) {
        assert.ok([200, 404].includes(status), String(status));
      }
      for (const organizationId of organizationIds) {
        const { members, invites } = await owner.listOrganizationMembers({ organizationId });
        assert.deepEqual([members.length, invites.length], [1, 0]);
      }
    });

    it('does not accept invitations that were sent with a link', async () => {
      const { owner, deployment } = fleet();
      const { id: organizationId } = await newOrganization(owner, 'Sent & Co');
      const email = newAddress();
      await owner.createOrganizationInvite({ organizationId, email });
      const invitation = deployment.mailer.linkTo(email);
      const page = await signInByMail(deployment, email);
      assert.match(
        page,
        /You&#39;re not a member of any organization yet[^]*invited to Sent &amp; Co/,
      );
      assert.ok(!page.includes('<form'));
      assert.equal((await owner.listOrganizationMembers({ organizationId })).invites.length, 1);
      assert.equal((await fetch(invitation)).status, 200);
    });

    it('creates one key with exactly the current roles of the user', async () => {
      const { owner, deployment } = fleet();
      const { email, organizationId, machineId } = await newSilentInvite();
      const page = await signInByMail(deployment, email);
      const answer = await pressCreateKey(deployment, page);
      assert.equal(answer.status, 200);
      const key = keyOn(await answer.text());
      const app = await signIn(deployment, key);
      assert.equal((await app.getRobot({ id: machineId })).robot?.id, machineId);
      await assertRejected(app.updateRobot({ id: machineId, name: 'x' }), Code.PermissionDenied);
      const { apiKeys } = await owner.listKeys({ orgId: organizationId });
      const listed = apiKeys.find((entry) => entry.apiKey?.id === key.id);
      assert.equal(listed?.apiKey?.name, email);
      assert.deepEqual(
        listed.authorizations.map((entry) => `${entry.authorizationId} ${entry.resourceId}`),
        [`robot_operator ${machineId}`],
      );
      const second = await pressCreateKey(deployment, page);
      assert.equal(second.status, 410);
      assert.deepEqual(keyOn(await second.text()), { id: '', key: '' });
    });

    it('deletes the keys that a member created when the member is removed', async () => {
      const { owner, deployment } = fleet();
      const { email, organizationId } = await newSilentInvite();
      const page = await signInByMail(deployment, email);
      const key = keyOn(await (await pressCreateKey(deployment, page)).text());
      const app = await signIn(deployment, key);
      const { userId } = await owner.getUserIDByEmail({ email });
      await owner.deleteOrganizationMember({ organizationId, userId });
      await assertRejected(app.listOrganizations({}), Code.Unauthenticated);
    });

    it('creates no key for a user without roles', async () => {
      const { owner, deployment } = fleet();
      const { email, organizationId } = await newSilentInvite();
      const page = await signInByMail(deployment, email);
      const { userId } = await owner.getUserIDByEmail({ email });
      await owner.deleteOrganizationMember({ organizationId, userId });
      const answer = await pressCreateKey(deployment, page);
      assert.equal(answer.status, 409);
      assert.deepEqual(keyOn(await answer.text()), { id: '', key: '' });
    });

    it('accepts a link once, for fifteen minutes', async () => {
      const { deployment, clock } = fleet();
      const { email } = await newSilentInvite();
      await signInByMail(deployment, email);
      const used = await fetch(deployment.mailer.linkTo(email));
      assert.equal(used.status, 410);
      assert.match(await used.text(), /has already been used/);
      clock.advance(MINUTE_MS + 1);
      const page = await signInByMail(deployment, email);
      clock.advance(15 * MINUTE_MS + 1);
      const late = await pressCreateKey(deployment, page);
      assert.equal(late.status, 410);
      assert.match(await late.text(), /has expired/);
      assert.equal((await fetch(`${deployment.url}/sign-in/nothing`)).status, 404);
      const mistyped = await fetch(`${deployment.url}/sign-in/`);
      assert.match(await mistyped.text(), /<h1>This link does not exist<\/h1>/);
    });

    it('sends an address one message a minute, and unknown addresses none, with the same response', async () => {
      const { deployment, clock } = fleet();
      const { email } = await newSilentInvite();
      const stranger = newAddress();
      const pages: string[] = [];
      for (const address of [email, email, email, stranger, 'no address', 'nul\0@a', '']) {
        const answer = await requestSignInLink(deployment, address);
        assert.equal(answer.status, 200);
        pages.push((await answer.text()).replaceAll(/nonce="[^"]+"/g, ''));
      }
      assert.equal(new Set(pages).size, 1);
      await waitUntil(() => deployment.mailer.to(email).length === 1);
      clock.advance(MINUTE_MS + 1);
      await signInByMail(deployment, email);
      assert.equal(deployment.mailer.to(email).length, 2);
      assert.deepEqual(deployment.mailer.to(stranger), []);
    });
  });
}
