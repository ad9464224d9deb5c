import assert from 'node:assert/strict';
import { Code } from '@connectrpc/connect';
import { appClient, authClient, signIn } from '../deployment';
import {
  assertRejected,
  type FleetUnderTest,
  newMachine,
  newOrganization,
  newStranger,
  signInWithRole,
} from '../fleetFixture';
import { role, type RoleId } from '../permissions/permissionRequests';

export function authenticationContract(fleet: FleetUnderTest): void {
  describe('authentication', () => {
    it('returns a working token, and the same identity after signing in again', async () => {
      const { deployment } = fleet();
      const { apiKeyId, apiKey, organizationId } = deployment.owner;
      const request = {
        entity: apiKeyId,
        credentials: { type: 'api-key', payload: apiKey },
      };
      const first = await authClient(deployment).authenticate(request);
      const again = await authClient(deployment).authenticate(request);
      assert.equal(again.accessToken, first.accessToken);
      const { organization } = await appClient(deployment, first.accessToken).getOrganization({
        organizationId,
      });
      assert.equal(organization?.id, organizationId);
    });

    it('rejects a call without a token, or with a token that it never issued', async () => {
      const { deployment } = fleet();
      await assertRejected(appClient(deployment).listOrganizations({}), Code.Unauthenticated);
      for (const token of ['x', 'fw1.e30.e30', 'fw1.WyJhcGkta2V5IiwiYSIsIiJd.AAAA']) {
        await assertRejected(
          appClient(deployment, token).listOrganizations({}),
          Code.Unauthenticated,
        );
      }
    });

    it('distinguishes a wrong key from missing credentials and an unknown type', async () => {
      const { deployment } = fleet();
      const { apiKeyId } = deployment.owner;
      const auth = authClient(deployment);
      await assertRejected(
        auth.authenticate({
          entity: apiKeyId,
          credentials: { type: 'api-key', payload: 'wrong' },
        }),
        Code.PermissionDenied,
      );
      await assertRejected(
        auth.authenticate({
          entity: '9d1dbb2e-6a3e-4b5e-a2a5-6a2a7e3b8d10',
          credentials: { type: 'api-key', payload: 'wrong' },
        }),
        Code.PermissionDenied,
      );
      await assertRejected(auth.authenticate({ entity: apiKeyId }), Code.InvalidArgument);
      await assertRejected(
        auth.authenticate({
          entity: apiKeyId,
          credentials: { type: 'password', payload: 'x' },
        }),
        Code.InvalidArgument,
      );
    });

    it('invalidates the tokens of a key immediately when it is rotated or deleted', async () => {
      const { deployment, owner } = fleet();
      const organization = await newOrganization(owner);
      const made = await owner.createKey({
        authorizations: [
          {
            authorizationType: 'role',
            authorizationId: 'organization_owner',
            resourceType: 'organization',
            resourceId: organization.id,
          },
        ],
      });
      const before = await signIn(deployment, made);
      await before.listOrganizations({});

      const rotated = await owner.rotateKey({ id: made.id });
      assert.equal(rotated.id, made.id);
      await assertRejected(before.listOrganizations({}), Code.Unauthenticated);
      await assertRejected(signIn(deployment, made), Code.PermissionDenied);

      const after = await signIn(deployment, rotated);
      await after.listOrganizations({});
      await owner.deleteKey({ id: made.id });
      await assertRejected(after.listOrganizations({}), Code.Unauthenticated);
    });

    it('copies only the roles of a key to a new key', async () => {
      const { deployment, owner } = fleet();
      const { id: resourceId } = await newOrganization(owner);
      const original = await owner.createKey({
        name: 'original',
        authorizations: [
          {
            authorizationType: 'role',
            authorizationId: 'organization_operator',
            resourceType: 'organization',
            resourceId,
          },
        ],
      });
      const copy = await owner.createKeyFromExistingKeyAuthorizations({ id: original.id });
      assert.notEqual(copy.id, original.id);
      const app = await signIn(deployment, copy);
      await app.listOrganizationMembers({ organizationId: resourceId });
      await assertRejected(
        app.updateOrganization({ organizationId: resourceId, name: 'x' }),
        Code.PermissionDenied,
      );
      const { apiKeys } = await owner.listKeys({ orgId: resourceId });
      const [first, second] = [original, copy].map(({ id }) =>
        apiKeys.find(({ apiKey }) => apiKey?.id === id),
      );
      assert.deepEqual(second?.authorizations, first?.authorizations);
      assert.ok(!Number.isNaN(Date.parse(second?.apiKey?.name ?? '')));
    });

    it('deletes a key with the last resource that it has a role on', async () => {
      const { owner } = fleet();
      const { id } = await newOrganization(owner);
      const { machineId, locationId } = await newMachine(owner, id);
      const ofMachine = await signInWithRole(fleet(), 'owner', 'robot', machineId);
      const ofLocation = await signInWithRole(fleet(), 'owner', 'location', locationId);
      await owner.deleteRobot({ id: machineId });
      await assertRejected(ofMachine.createOrganization({ name: 'x' }), Code.Unauthenticated);
      await owner.deleteLocation({ locationId });
      await assertRejected(ofLocation.createOrganization({ name: 'x' }), Code.Unauthenticated);
      assert.equal((await owner.listKeys({ orgId: id })).apiKeys.length, 1);
    });

    it('hides the keys of others and rejects keys without roles', async () => {
      const { owner } = fleet();
      const stranger = await newStranger(fleet());
      const { id } = await owner.createKey({
        authorizations: [
          {
            authorizationType: 'role',
            authorizationId: 'organization_owner',
            resourceType: 'organization',
            resourceId: (await newOrganization(owner)).id,
          },
        ],
      });
      // The error is the same as for a nonexistent key, so the response doesn't reveal that the key
      // exists.
      for (const unknown of [id, 'unknown']) {
        const message = new RegExp(`API key "${unknown}" not found`);
        await assertRejected(stranger.deleteKey({ id: unknown }), Code.NotFound, message);
        await assertRejected(stranger.rotateKey({ id: unknown }), Code.NotFound, message);
        await assertRejected(
          stranger.createKeyFromExistingKeyAuthorizations({ id: unknown }),
          Code.NotFound,
          message,
        );
      }
      await assertRejected(owner.createKey({ authorizations: [] }), Code.InvalidArgument);
    });

    it('reveals no key to members whose other calls do not list it', async () => {
      const { owner, deployment } = fleet();
      const { id: organizationId } = await newOrganization(owner);
      const { machineId, locationId } = await newMachine(owner, organizationId);
      const { machineId: otherId } = await newMachine(owner, organizationId);
      const newKey = async (roleId: RoleId, resourceId: string) =>
        owner.createKey({ authorizations: [role(roleId, resourceId)] });
      const operator = await newKey('organization_operator', organizationId);
      const machineOwner = await newKey('robot_owner', machineId);
      const locationOwner = await newKey('location_owner', locationId);
      const other = await newKey('robot_owner', otherId);
      const expectations = [
        [machineOwner, other, Code.NotFound],
        [locationOwner, other, Code.NotFound],
        [machineOwner, locationOwner, Code.NotFound],
        [machineOwner, operator, Code.NotFound],
        [operator, other, Code.PermissionDenied],
        [operator, operator, Code.PermissionDenied],
      ] as const;
      for (const [caller, { id }, code] of expectations) {
        const app = await signIn(deployment, caller);
        await assertRejected(app.deleteKey({ id }), code);
        await assertRejected(app.rotateKey({ id }), code);
        await assertRejected(app.createKeyFromExistingKeyAuthorizations({ id }), code);
      }
      await (await signIn(deployment, locationOwner)).rotateKey({ id: machineOwner.id });
    });

    it('signs machines in with the secret of their part or location', async () => {
      const { deployment, owner } = fleet();
      const organization = await newOrganization(owner);
      const { part, locationId, machineId } = await newMachine(owner, organization.id);
      const { location } = await owner.getLocation({ locationId });
      const secrets = [
        { type: 'robot-secret', payload: part.secrets[0]?.secret ?? '' },
        { type: 'robot-location-secret', payload: location?.auth?.secrets[0]?.secret ?? '' },
      ];
      for (const credentials of secrets) {
        const { accessToken } = await authClient(deployment).authenticate({
          entity: part.id,
          credentials,
        });
        const machine = appClient(deployment, accessToken);
        const { part: own } = await machine.getRobotPart({ id: part.id });
        assert.equal(own?.id, part.id);
        assert.equal(own.secrets.length, 0, 'a machine does not read secrets');
        await assertRejected(
          machine.updateRobot({ id: machineId, name: 'other' }),
          Code.PermissionDenied,
        );
        await assertRejected(machine.createOrganization({ name: 'own' }), Code.PermissionDenied);
      }
      await assertRejected(
        authClient(deployment).authenticate({
          entity: part.id,
          credentials: { type: 'robot-secret', payload: 'wrong' },
        }),
        Code.PermissionDenied,
      );
    });
  });
}
