import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { Code } from '@connectrpc/connect';
import { signIn } from '../deployment';
import {
  assertRejected,
  type FleetUnderTest,
  newMachine,
  newOrganization,
  signInWithRole,
} from '../fleetFixture';
import { keyOn, pressCreateKey, signInByMail } from '../signIn';

type ResourceType = 'organization' | 'location' | 'robot';

function authorization(
  organizationId: string,
  identityId: string,
  authorizationId: `${ResourceType}_${'owner' | 'operator'}`,
  resourceId: string,
) {
  const resourceType = authorizationId.replace(/_.*/, '');
  return {
    organizationId,
    identityId,
    authorizationType: 'role',
    authorizationId,
    resourceType,
    resourceId,
  };
}

/** Number of attempts that is likely to be enough to reveal a race between two calls. */
const ATTEMPTS = 8;

export function roleChangeContract(fleet: FleetUnderTest): void {
  describe('changes of roles', () => {
    /** Creates a member with one role on the organization. */
    const newMember = async (role: 'owner' | 'operator') => {
      const { owner, deployment } = fleet();
      const { id: organizationId } = await newOrganization(owner);
      const email = `kim-${randomUUID().slice(0, 8)}@example.com`;
      await owner.createOrganizationInvite({
        organizationId,
        email,
        authorizations: [authorization(organizationId, '', `organization_${role}`, organizationId)],
      });
      await fetch(deployment.mailer.linkTo(email));
      const { userId } = await owner.getUserIDByEmail({ email });
      return { organizationId, email, userId };
    };
    const newKey = async (organizationId: string, role: 'owner' | 'operator') => {
      const { owner, deployment } = fleet();
      const key = await owner.createKey({
        authorizations: [authorization(organizationId, '', `organization_${role}`, organizationId)],
      });
      return { id: key.id, app: await signIn(deployment, key) };
    };
    const readRoles = async (organizationId: string, identityId: string): Promise<string[]> =>
      (await fleet().owner.listAuthorizations({ organizationId })).authorizations
        .filter((entry) => entry.identityId === identityId)
        .map((entry) => entry.authorizationId);

    it('apply to the keys that a member created', async () => {
      const { owner, deployment } = fleet();
      const { organizationId, email, userId } = await newMember('owner');
      const page = await signInByMail(deployment, email);
      const shown = keyOn(await (await pressCreateKey(deployment, page)).text());
      const app = await signIn(deployment, shown);
      const rename = (): Promise<unknown> => app.updateOrganization({ organizationId, name: 'x' });
      await rename();
      const owns = authorization(organizationId, userId, 'organization_owner', organizationId);
      const operates = { ...owns, authorizationId: 'organization_operator' };
      await owner.changeRole({ oldAuthorization: owns, newAuthorization: operates });
      await assertRejected(rename(), Code.PermissionDenied);
      assert.deepEqual(await readRoles(organizationId, shown.id), ['organization_operator']);
      await owner.removeRole({ authorization: operates });
      await assertRejected(rename(), Code.Unauthenticated);
    });

    it("revoke all roles of a member's keys when the member's role moves to another identity", async () => {
      const { owner, deployment } = fleet();
      const { organizationId, email, userId } = await newMember('owner');
      const page = await signInByMail(deployment, email);
      const made = keyOn(await (await pressCreateKey(deployment, page)).text());
      const successor = await newKey(organizationId, 'operator');
      const old = authorization(organizationId, userId, 'organization_owner', organizationId);
      await owner.changeRole({
        oldAuthorization: old,
        newAuthorization: { ...old, identityId: successor.id },
      });
      assert.deepEqual(await readRoles(organizationId, made.id), []);
      await successor.app.updateOrganization({ organizationId, name: 'Renamed' });
    });

    it('grant no role to a member who is being removed', async () => {
      const { owner } = fleet();
      for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
        const { organizationId, userId } = await newMember('operator');
        const role = authorization(organizationId, userId, 'organization_owner', organizationId);
        await Promise.allSettled([
          owner.deleteOrganizationMember({ organizationId, userId }),
          owner.addRole({ authorization: role }),
        ]);
        assert.deepEqual(await readRoles(organizationId, userId), []);
      }
    });

    it('grant no role to a key that is being deleted', async () => {
      const { owner } = fleet();
      for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
        const { id: organizationId } = await newOrganization(owner);
        const { id } = await newKey(organizationId, 'operator');
        const role = authorization(organizationId, id, 'organization_operator', organizationId);
        await Promise.allSettled([
          owner.removeRole({ authorization: role }),
          owner.addRole({
            authorization: { ...role, authorizationId: 'organization_owner' },
          }),
        ]);
        const { apiKeys } = await owner.listKeys({ orgId: organizationId });
        const exists = apiKeys.some(({ apiKey }) => apiKey?.id === id);
        assert.equal((await readRoles(organizationId, id)).length > 0, exists);
      }
    });

    it('delete a key whose last two roles are removed at the same time', async () => {
      const { owner, deployment } = fleet();
      for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
        const organizations = [await newOrganization(owner), await newOrganization(owner)];
        const roles = organizations.map(({ id }) =>
          authorization(id, '', 'organization_operator', id),
        );
        const key = await owner.createKey({ authorizations: roles });
        const app = await signIn(deployment, key);
        await Promise.all(
          roles.map((role) => owner.removeRole({ authorization: { ...role, identityId: key.id } })),
        );
        await assertRejected(app.listOrganizations({}), Code.Unauthenticated);
      }
    });

    it('delete a key whose two organizations are deleted at the same time', async () => {
      const { owner, deployment } = fleet();
      for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
        const organizations = [await newOrganization(owner), await newOrganization(owner)];
        const roles = organizations.map(({ id }) =>
          authorization(id, '', 'organization_operator', id),
        );
        const app = await signIn(deployment, await owner.createKey({ authorizations: roles }));
        await Promise.all(
          organizations.map(({ id }) => owner.deleteOrganization({ organizationId: id })),
        );
        await assertRejected(app.listOrganizations({}), Code.Unauthenticated);
      }
    });

    it('leave no organization whose only owner is a deleted key', async () => {
      const { owner } = fleet();
      for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
        const { id: organizationId } = await newOrganization(owner);
        const { id, app } = await newKey(organizationId, 'owner');
        const outcomes = await Promise.allSettled([
          app.createOrganization({ name: 'Late' }),
          owner.deleteKey({ id }),
        ]);
        assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
      }
    });

    it('are serialized', async () => {
      const { owner } = fleet();
      for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
        const { id: organizationId } = await newOrganization(owner);
        const { id } = await newKey(organizationId, 'operator');
        const role = authorization(organizationId, id, 'organization_operator', organizationId);
        const outcomes = await Promise.allSettled([
          owner.deleteKey({ id }),
          owner.removeRole({ authorization: role }),
        ]);
        assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
      }
    });

    it('name no resource that the caller cannot know of', async () => {
      const { owner } = fleet();
      const { id: mine } = await newOrganization(owner);
      const { id: theirs } = await newOrganization(owner);
      const { machineId } = await newMachine(owner, theirs);
      const key = await owner.createKey({
        authorizations: [
          authorization(mine, '', 'organization_operator', mine),
          authorization(theirs, '', 'robot_owner', machineId),
        ],
      });
      const app = await signInWithRole(fleet(), 'owner', 'organization', mine);
      const { id } = key;
      const calls = [
        () => app.deleteKey({ id }),
        () => app.rotateKey({ id }),
        () => app.createKeyFromExistingKeyAuthorizations({ id }),
      ];
      for (const call of calls) {
        await assertRejected(
          call(),
          Code.PermissionDenied,
          /^this key has roles that you don't have/,
        );
      }
      await app.removeRole({
        authorization: authorization(mine, id, 'organization_operator', mine),
      });
      await assertRejected(app.deleteKey({ id }), Code.NotFound);
      assert.deepEqual(await readRoles(theirs, id), ['robot_owner']);
    });
  });
}
