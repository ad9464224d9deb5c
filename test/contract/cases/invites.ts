import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { Code } from '@connectrpc/connect';
import type { OrganizationInvite } from '../../../src/gen/viam/app/v1/organization_pb';
import {
  assertRejected,
  type FleetUnderTest,
  newMachine,
  newOrganization,
  newStranger,
  signInWithRole,
} from '../fleetFixture';

type Role = 'owner' | 'operator';
type ResourceType = 'organization' | 'location' | 'robot';

const DAY_MS = 24 * 3600 * 1000;
const newAddress = (): string => `ada-${randomUUID().slice(0, 8)}@example.com`;

function role(name: Role, resourceType: ResourceType, resourceId: string) {
  return {
    authorizationType: 'role',
    authorizationId: `${resourceType}_${name}`,
    resourceType,
    resourceId,
  };
}

function formatRoles(invite: OrganizationInvite | undefined): string[] {
  return (invite?.authorizations ?? [])
    .map((entry) => `${entry.authorizationId} ${entry.resourceId}`)
    .sort();
}

export function inviteContract(fleet: FleetUnderTest): void {
  describe('invitations', () => {
    const pending = async (organizationId: string): Promise<OrganizationInvite[]> =>
      (await fleet().owner.listOrganizationMembers({ organizationId })).invites;

    /** Creates an organization with a machine and an invitation with two roles. */
    const newInvite = async () => {
      const { owner } = fleet();
      const { id: organizationId } = await newOrganization(owner, 'Acme');
      const { machineId, locationId } = await newMachine(owner, organizationId);
      const email = newAddress();
      const authorizations = [
        role('operator', 'location', locationId),
        role('owner', 'robot', machineId),
      ];
      await owner.createOrganizationInvite({ organizationId, email, authorizations });
      return { organizationId, machineId, locationId, email };
    };

    it('grant ownership of the organization when no roles are requested', async () => {
      const { owner, clock } = fleet();
      const { id: organizationId } = await newOrganization(owner);
      const { invite } = await owner.createOrganizationInvite({
        organizationId,
        email: 'Grace.Hopper@Example.COM',
      });
      assert.equal(invite?.organizationId, organizationId);
      assert.equal(invite.email, 'grace.hopper@example.com');
      assert.equal(Number(invite.createdOn?.seconds), Math.floor(clock.now().getTime() / 1000));
      assert.deepEqual(formatRoles(invite), [`organization_owner ${organizationId}`]);
      assert.deepEqual(await pending(organizationId), [invite]);
    });

    it('are sent as a message with inviter, organization, roles, and expiration', async () => {
      const { deployment } = fleet();
      const { email } = await newInvite();
      const [mail] = deployment.mailer.to(email);
      assert.equal(mail?.subject, 'Invitation to Acme');
      for (const text of [mail.text, mail.html]) {
        assert.match(text, /Local owner/);
        assert.match(
          text,
          /As an operator, you can view and control the location (?:"|&quot;)Hall(?:"|&quot;)/,
        );
        assert.match(text, /As an owner, you can change the machine (?:"|&quot;)arm(?:"|&quot;)/);
        assert.match(text, /http:\/\/127\.0\.0\.1:\d+\/invites\/[\w-]{43}/);
        assert.match(text, /works once,\suntil [^.]*\sUTC/);
      }
    });

    it('add anyone who opens the link as a member with the invited roles, once', async () => {
      const { owner, deployment, clock } = fleet();
      const { organizationId, machineId, locationId, email } = await newInvite();
      const link = deployment.mailer.linkTo(email);
      const answers = await Promise.all([1, 2, 3, 4].map(() => fetch(link)));
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 410, 410, 410]);
      const accepted = answers.find(({ status }) => status === 200);
      assert.match((await accepted?.text()) ?? '', /Welcome to Acme[^]*&quot;arm&quot;/);
      assert.match(await (await fetch(link)).text(), /already been accepted/);

      const { members, invites } = await owner.listOrganizationMembers({ organizationId });
      assert.deepEqual(invites, []);
      const [member] = members;
      assert.deepEqual(member?.emails, [email]);
      assert.equal(Number(member.lastLogin?.seconds), Math.floor(clock.now().getTime() / 1000));
      assert.equal((await owner.getUserIDByEmail({ email })).userId, member.userId);
      const { authorizations } = await owner.listAuthorizations({ organizationId });
      assert.deepEqual(
        authorizations
          .filter((entry) => entry.identityId === member.userId)
          .map((entry) => `${entry.identityType} ${entry.authorizationId} ${entry.resourceId}`)
          .sort(),
        [`user location_operator ${locationId}`, `user robot_owner ${machineId}`],
      );
    });

    it('are rejected for invalid addresses', async () => {
      const { owner } = fleet();
      const { id: organizationId } = await newOrganization(owner);
      const long = `${'a'.repeat(64)}@${'b.'.repeat(100)}example.com`;
      for (const email of [
        '',
        'ada',
        'ada@',
        '@example.com',
        'a b@example.com',
        'a@b\r\nc',
        long,
      ]) {
        await assertRejected(
          owner.createOrganizationInvite({ organizationId, email }),
          Code.InvalidArgument,
          /email/,
        );
      }
      assert.deepEqual(await pending(organizationId), []);
    });

    it('are rejected for members and for addresses with a pending invitation, ignoring case', async () => {
      const { owner, deployment } = fleet();
      const { organizationId, email } = await newInvite();
      const again = { organizationId, email: email.toUpperCase() };
      await assertRejected(
        owner.createOrganizationInvite(again),
        Code.AlreadyExists,
        /already invited: .*resend it/,
      );
      await fetch(deployment.mailer.linkTo(email));
      await assertRejected(
        owner.createOrganizationInvite(again),
        Code.AlreadyExists,
        /already a member: .*roles/,
      );
      assert.equal(deployment.mailer.to(email).length, 1);
    });

    it('include only roles in the organization on resources that the caller administers', async () => {
      const { owner } = fleet();
      const { id: organizationId } = await newOrganization(owner);
      const { id: other } = await newOrganization(owner, 'Other');
      const promise = (authorization: ReturnType<typeof role>): Promise<unknown> =>
        owner.createOrganizationInvite({
          organizationId,
          email: newAddress(),
          authorizations: [authorization],
        });
      await assertRejected(promise(role('owner', 'robot', 'absent')), Code.NotFound);
      await assertRejected(promise(role('owner', 'organization', other)), Code.InvalidArgument);
      await assertRejected(
        promise({ ...role('owner', 'organization', organizationId), authorizationId: 'king' }),
        Code.InvalidArgument,
      );
      assert.deepEqual(await pending(organizationId), []);
    });

    it('get and lose roles through updates', async () => {
      const { owner } = fleet();
      const { organizationId, email, machineId, locationId } = await newInvite();
      const update = async (changes: {
        addAuthorizations?: ReturnType<typeof role>[];
        removeAuthorizations?: ReturnType<typeof role>[];
      }): Promise<string[]> => {
        const { invite } = await owner.updateOrganizationInviteAuthorizations({
          organizationId,
          email: email.toUpperCase(),
          ...changes,
        });
        return formatRoles(invite);
      };
      const [onLocation, onMachine, onAll] = [
        role('operator', 'location', locationId),
        role('owner', 'robot', machineId),
        role('operator', 'organization', organizationId),
      ];
      const both = [`location_operator ${locationId}`, `robot_owner ${machineId}`];
      assert.deepEqual(await update({ addAuthorizations: [onMachine] }), both);
      assert.deepEqual(
        await update({ addAuthorizations: [onAll], removeAuthorizations: [onLocation] }),
        [`organization_operator ${organizationId}`, `robot_owner ${machineId}`],
      );
      assert.deepEqual(await update({ removeAuthorizations: [onAll] }), [
        `robot_owner ${machineId}`,
      ]);
      const last = /only role of the invitation: delete the invitation instead/;
      const removal = { removeAuthorizations: [onMachine] };
      await assertRejected(update(removal), Code.InvalidArgument, last);
      await assertRejected(
        update({ addAuthorizations: [onAll], ...removal }),
        Code.InvalidArgument,
        last,
      );
      const [invite] = await pending(organizationId);
      assert.deepEqual(formatRoles(invite), [`robot_owner ${machineId}`]);
    });

    it('are not changed by contradictory updates', async () => {
      const { owner } = fleet();
      const { organizationId, email, machineId, locationId } = await newInvite();
      const before = await pending(organizationId);
      const onLocation = role('operator', 'location', locationId);
      const onMachine = role('owner', 'robot', machineId);
      const onAll = role('owner', 'organization', organizationId);
      const expectRejection = (
        addAuthorizations: ReturnType<typeof role>[],
        removeAuthorizations: ReturnType<typeof role>[],
        message: RegExp,
      ): Promise<void> =>
        assertRejected(
          owner.updateOrganizationInviteAuthorizations({
            organizationId,
            email,
            addAuthorizations,
            removeAuthorizations,
          }),
          Code.InvalidArgument,
          message,
        );
      await expectRejection([], [], /give at least one role/);
      await expectRejection([onAll], [onAll], /added by the same call/);
      await expectRejection([onLocation], [onLocation], /added by the same call/);
      await expectRejection([], [onAll], /doesn't have owner of organization/);
      await expectRejection(
        [],
        [onLocation, onMachine],
        /every role .*delete the invitation instead/,
      );
      await expectRejection([onAll], [onLocation, onMachine], /every role/);
      assert.deepEqual(await pending(organizationId), before);
    });

    it('grant their current roles when they are accepted', async () => {
      const { owner, deployment } = fleet();
      const { organizationId, email, machineId } = await newInvite();
      await owner.updateOrganizationInviteAuthorizations({
        organizationId,
        email,
        removeAuthorizations: [role('owner', 'robot', machineId)],
      });
      await fetch(deployment.mailer.linkTo(email));
      const { authorizations } = await owner.listAuthorizations({ organizationId });
      assert.deepEqual(
        authorizations
          .filter((entry) => entry.identityType === 'user')
          .map((entry) => entry.authorizationId),
        ['location_operator'],
      );
    });

    it('are invalidated when they are deleted, and can be created again', async () => {
      const { owner, deployment } = fleet();
      const { organizationId, email } = await newInvite();
      const link = deployment.mailer.linkTo(email);
      await owner.deleteOrganizationInvite({ organizationId, email: email.toUpperCase() });
      assert.deepEqual(await pending(organizationId), []);
      assert.equal((await fetch(link)).status, 404);
      await owner.createOrganizationInvite({ organizationId, email });
      assert.equal((await fetch(link)).status, 404);
      assert.equal((await fetch(deployment.mailer.linkTo(email))).status, 200);
    });

    it('are sent again with a new link, which replaces the old one', async () => {
      const { owner, deployment } = fleet();
      const { organizationId, email } = await newInvite();
      const old = deployment.mailer.linkTo(email);
      const { invite } = await owner.resendOrganizationInvite({ organizationId, email });
      assert.deepEqual(await pending(organizationId), [invite]);
      const link = deployment.mailer.linkTo(email);
      assert.notEqual(link, old);
      const answer = await fetch(old);
      assert.equal(answer.status, 404);
      assert.match(await answer.text(), /newest email/);
      assert.equal((await fetch(link)).status, 200);
    });

    it('have links that are valid for seven days', async () => {
      const { owner, deployment, clock } = fleet();
      const late = await newInvite();
      clock.advance(7 * DAY_MS - 60_000);
      const timely = await newInvite();
      clock.advance(120_000);
      const answer = await fetch(deployment.mailer.linkTo(late.email));
      assert.equal(answer.status, 410);
      assert.match(await answer.text(), /has expired[^]*send the invitation again/);
      assert.equal((await fetch(deployment.mailer.linkTo(timely.email))).status, 200);
      assert.equal((await pending(late.organizationId)).length, 1);
      await owner.resendOrganizationInvite(late);
      assert.equal((await fetch(deployment.mailer.linkTo(late.email))).status, 200);
    });

    it('are not created when the message cannot be sent, and the error explains why', async () => {
      const { owner, deployment } = fleet();
      const { organizationId, email } = await newInvite();
      const link = deployment.mailer.linkTo(email);
      deployment.mailer.rejection = 'the mail server said 550 no such user';
      try {
        await assertRejected(
          owner.createOrganizationInvite({ organizationId, email: newAddress() }),
          Code.Unavailable,
          /not sent: the mail server said 550 no such user/,
        );
        await assertRejected(
          owner.resendOrganizationInvite({ organizationId, email }),
          Code.Unavailable,
          /550/,
        );
      } finally {
        deployment.mailer.rejection = undefined;
      }
      assert.deepEqual(
        (await pending(organizationId)).map((invite) => invite.email),
        [email],
      );
      assert.equal((await fetch(link)).status, 200);
    });

    it('do not exist for addresses that were not invited', async () => {
      const { owner } = fleet();
      const { organizationId } = await newInvite();
      const absent = { organizationId, email: newAddress() };
      const addAuthorizations = [role('owner', 'organization', organizationId)];
      for (const call of [
        () => owner.deleteOrganizationInvite(absent),
        () => owner.resendOrganizationInvite(absent),
        () => owner.updateOrganizationInviteAuthorizations({ ...absent, addAuthorizations }),
      ]) {
        await assertRejected(call(), Code.NotFound, /pending invitation for/);
      }
    });

    it('send no message when the caller requests none', async () => {
      const { owner, deployment } = fleet();
      const { id: organizationId } = await newOrganization(owner);
      const email = newAddress();
      const sendEmailInvite = false;
      await owner.createOrganizationInvite({ organizationId, email, sendEmailInvite });
      await owner.resendOrganizationInvite({ organizationId, email, sendEmailInvite });
      assert.deepEqual(deployment.mailer.to(email), []);
      assert.equal((await pending(organizationId)).length, 1);
      await owner.resendOrganizationInvite({ organizationId, email });
      assert.equal((await fetch(deployment.mailer.linkTo(email))).status, 200);
    });

    it('lose the roles on deleted resources, and are deleted with the last role', async () => {
      const { owner, deployment } = fleet();
      const { organizationId, email, machineId, locationId } = await newInvite();
      await owner.deleteRobot({ id: machineId });
      const [invite] = await pending(organizationId);
      assert.deepEqual(formatRoles(invite), [`location_operator ${locationId}`]);
      await owner.deleteLocation({ locationId });
      assert.deepEqual(await pending(organizationId), []);
      assert.equal((await fetch(deployment.mailer.linkTo(email))).status, 404);
      await owner.createOrganizationInvite({ organizationId, email });
      await owner.deleteOrganization({ organizationId });
      assert.equal((await fetch(deployment.mailer.linkTo(email))).status, 404);
    });

    it('are managed only by owners of the organization', async () => {
      const { owner } = fleet();
      const { organizationId, email, locationId } = await newInvite();
      const operator = await signInWithRole(fleet(), 'operator', 'organization', organizationId);
      const locationOwner = await signInWithRole(fleet(), 'owner', 'location', locationId);
      const stranger = await newStranger(fleet());
      const addAuthorizations = [role('owner', 'location', locationId)];
      for (const [app, code] of [
        [operator, Code.PermissionDenied],
        [locationOwner, Code.PermissionDenied],
        [stranger, Code.NotFound],
      ] as const) {
        for (const call of [
          () => app.createOrganizationInvite({ organizationId, email: newAddress() }),
          () => app.createOrganizationInvite({ organizationId, email }),
          () =>
            app.updateOrganizationInviteAuthorizations({
              organizationId,
              email,
              addAuthorizations,
            }),
          () => app.resendOrganizationInvite({ organizationId, email }),
          () => app.deleteOrganizationInvite({ organizationId, email }),
        ]) {
          await assertRejected(call(), code);
        }
      }
      assert.equal((await owner.listOrganizationMembers({ organizationId })).invites.length, 1);
    });
  });
}
