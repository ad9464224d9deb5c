import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { Code } from '@connectrpc/connect';
import { signIn } from '../deployment';
import { keyOn, pressCreateKey, signInByMail } from '../signIn';
import {
  assertRejected,
  type FleetUnderTest,
  newMachine,
  newOrganization,
  newStranger,
  signInWithRole,
} from '../fleetFixture';

export function memberContract(fleet: FleetUnderTest): void {
  describe('members', () => {
    /** Creates an organization whose newest member accepted an invitation as owner. */
    const newMember = async () => {
      const { owner, deployment } = fleet();
      const { id: organizationId } = await newOrganization(owner);
      const email = `lin-${randomUUID().slice(0, 8)}@example.com`;
      await owner.createOrganizationInvite({ organizationId, email });
      await fetch(deployment.mailer.linkTo(email));
      const { userId } = await owner.getUserIDByEmail({ email });
      return { organizationId, email, userId };
    };
    const addressesIn = async (organizationId: string): Promise<string[]> =>
      (await fleet().owner.listOrganizationMembers({ organizationId })).members.flatMap(
        ({ emails }) => emails,
      );

    it('lose all their roles in the organization, and retain those elsewhere', async () => {
      const { owner, deployment } = fleet();
      const { organizationId, email, userId } = await newMember();
      const { machineId } = await newMachine(owner, organizationId);
      await owner.addRole({
        authorization: {
          organizationId,
          identityId: userId,
          authorizationType: 'role',
          authorizationId: 'robot_operator',
          resourceType: 'robot',
          resourceId: machineId,
        },
      });
      const { id: other } = await newOrganization(owner, 'Other');
      await owner.createOrganizationInvite({ organizationId: other, email });
      await fetch(deployment.mailer.linkTo(email));

      await owner.deleteOrganizationMember({ organizationId, userId });
      assert.deepEqual(await addressesIn(organizationId), []);
      assert.deepEqual(await addressesIn(other), [email]);
      const listRoles = async (id: string): Promise<string[]> =>
        (await owner.listAuthorizations({ organizationId: id })).authorizations
          .filter((entry) => entry.identityId === userId)
          .map((entry) => entry.authorizationId);
      assert.deepEqual(await listRoles(organizationId), []);
      assert.deepEqual(await listRoles(other), ['organization_owner']);
    });

    it('can be invited again after they have left', async () => {
      const { owner, deployment } = fleet();
      const { organizationId, email, userId } = await newMember();
      await owner.deleteOrganizationMember({ organizationId, userId });
      await owner.createOrganizationInvite({ organizationId, email });
      await fetch(deployment.mailer.linkTo(email));
      assert.deepEqual(await addressesIn(organizationId), [email]);
    });

    it('are removed once, and only where they are members', async () => {
      const { owner } = fleet();
      const { organizationId, userId } = await newMember();
      const { id: other } = await newOrganization(owner);
      const remove = (id: string, user: string): Promise<unknown> =>
        owner.deleteOrganizationMember({ organizationId: id, userId: user });
      await assertRejected(remove(other, userId), Code.NotFound);
      await assertRejected(remove(organizationId, 'absent'), Code.NotFound);
      await remove(organizationId, userId);
      await assertRejected(remove(organizationId, userId), Code.NotFound, /member/);
    });

    it('cannot be removed if they are the last owner of the organization', async () => {
      const { owner, deployment } = fleet();
      const { organizationId, email, userId } = await newMember();
      const mine = {
        organizationId,
        identityId: deployment.owner.apiKeyId,
        authorizationType: 'role',
        authorizationId: 'organization_owner',
        resourceType: 'organization',
        resourceId: organizationId,
      };
      await owner.removeRole({ authorization: mine });
      await assertRejected(
        owner.deleteOrganizationMember({ organizationId, userId }),
        Code.NotFound,
        /organization/,
      );
      const page = await signInByMail(deployment, email);
      const shown = keyOn(await (await pressCreateKey(deployment, page)).text());
      const key = await signIn(deployment, shown);
      await assertRejected(
        key.deleteOrganizationMember({ organizationId, userId }),
        Code.FailedPrecondition,
        /make another user or API key an owner first/,
      );
      const { members } = await key.listOrganizationMembers({ organizationId });
      assert.deepEqual(
        members.map((member) => member.userId),
        [userId],
      );
    });

    it('are removed only by owners of the organization', async () => {
      const { organizationId, userId } = await newMember();
      const operator = await signInWithRole(fleet(), 'operator', 'organization', organizationId);
      const stranger = await newStranger(fleet());
      const member = { organizationId, userId };
      await assertRejected(operator.deleteOrganizationMember(member), Code.PermissionDenied);
      await assertRejected(stranger.deleteOrganizationMember(member), Code.NotFound);
      assert.equal((await addressesIn(organizationId)).length, 1);
    });
  });
}
