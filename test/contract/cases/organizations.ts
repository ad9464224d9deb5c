import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { Code } from '@connectrpc/connect';
import { FragmentVisibility } from '../../../src/gen/viam/app/v1/fragment_pb';
import {
  assertRejected,
  type FleetUnderTest,
  newMachine,
  newOrganization,
  newStranger,
  signInWithRole,
} from '../fleetFixture';

const uniqueNamespace = (): string => `ns-${randomUUID().slice(0, 8)}`;

export function organizationContract(fleet: FleetUnderTest): void {
  describe('an organization', () => {
    it('grants its creator the owner role', async () => {
      const { owner } = fleet();
      const created = await newOrganization(owner, 'Acme');
      assert.equal(created.name, 'Acme');
      assert.ok(created.createdOn);
      const { organizations } = await owner.listOrganizations({});
      assert.ok(organizations.some(({ id }) => id === created.id));
      const { authorizedPermissions } = await owner.checkPermissions({
        permissions: [
          {
            resourceType: 'organization',
            resourceId: created.id,
            permissions: ['write_organization', 'train_models'],
          },
        ],
      });
      assert.deepEqual(authorizedPermissions[0]?.permissions, [
        'write_organization',
        'train_models',
      ]);
    });

    it('is hidden from others', async () => {
      const { owner } = fleet();
      const { id } = await newOrganization(owner);
      const stranger = await newStranger(fleet());
      const absent = 'd7b3c3a0-0000-4000-8000-000000000000';
      for (const organizationId of [id, absent]) {
        await assertRejected(stranger.getOrganization({ organizationId }), Code.NotFound);
        await assertRejected(
          stranger.updateOrganization({ organizationId, name: 'mine' }),
          Code.NotFound,
        );
        await assertRejected(stranger.deleteOrganization({ organizationId }), Code.NotFound);
        await assertRejected(stranger.listLocations({ organizationId }), Code.NotFound);
        await assertRejected(stranger.listFragments({ organizationId }), Code.NotFound);
      }
      const { organizations } = await stranger.listOrganizations({});
      assert.ok(!organizations.some((organization) => organization.id === id));
    });

    it('can be read but not written by operators', async () => {
      const { owner } = fleet();
      const { id } = await newOrganization(owner);
      const operator = await signInWithRole(fleet(), 'operator', 'organization', id);
      assert.equal((await operator.getOrganization({ organizationId: id })).organization?.id, id);
      await assertRejected(
        operator.updateOrganization({ organizationId: id, name: 'mine' }),
        Code.PermissionDenied,
      );
      await assertRejected(
        operator.deleteOrganization({ organizationId: id }),
        Code.PermissionDenied,
      );
    });

    it('shows only its name to those with a role on one of its machines', async () => {
      const { owner } = fleet();
      const { id } = await newOrganization(owner, 'Acme');
      await owner.updateOrganization({ organizationId: id, cid: 'crm-1', region: 'eu' });
      const { machineId } = await newMachine(owner, id);
      const operator = await signInWithRole(fleet(), 'operator', 'robot', machineId);
      const { organization } = await operator.getOrganization({ organizationId: id });
      assert.deepEqual(
        [organization?.name, organization?.cid, organization?.defaultRegion],
        ['Acme', undefined, ''],
      );
      const { organizations } = await operator.listOrganizations({});
      assert.deepEqual(
        organizations.map((listed) => [listed.id, listed.cid]),
        [[id, undefined]],
      );
    });

    it('rejects a blank name', async () => {
      const { owner } = fleet();
      await assertRejected(owner.createOrganization({ name: '' }), Code.InvalidArgument);
      await assertRejected(owner.createOrganization({ name: '  ' }), Code.InvalidArgument);
    });

    it('changes only the fields that an update names', async () => {
      const { owner } = fleet();
      const { id } = await newOrganization(owner, 'Before');
      await owner.updateOrganization({ organizationId: id, region: 'eu', cid: 'crm-7' });
      const { organization } = await owner.updateOrganization({
        organizationId: id,
        name: 'After',
      });
      assert.equal(organization?.name, 'After');
      assert.equal(organization.defaultRegion, 'eu');
      assert.equal(organization.cid, 'crm-7');
    });

    it('sets a namespace once, and never to a used one', async () => {
      const { owner } = fleet();
      const [first, second] = [await newOrganization(owner), await newOrganization(owner)];
      const namespace = uniqueNamespace();
      const available = async (): Promise<boolean> =>
        (await owner.getOrganizationNamespaceAvailability({ publicNamespace: namespace }))
          .available;
      assert.equal(await available(), true);
      const { organization } = await owner.updateOrganization({
        organizationId: first.id,
        publicNamespace: namespace,
      });
      assert.equal(organization?.publicNamespace, namespace);
      assert.equal(await available(), false);
      await assertRejected(
        owner.updateOrganization({ organizationId: second.id, publicNamespace: namespace }),
        Code.AlreadyExists,
      );
      await assertRejected(
        owner.updateOrganization({
          organizationId: first.id,
          publicNamespace: uniqueNamespace(),
        }),
        Code.FailedPrecondition,
      );
    });

    it('rejects namespaces with invalid characters', async () => {
      const { owner } = fleet();
      for (const publicNamespace of ['', 'Upper', 'with space', 'under_score', 'ümlaut', 'a/b']) {
        await assertRejected(
          owner.getOrganizationNamespaceAvailability({ publicNamespace }),
          Code.InvalidArgument,
        );
      }
    });

    it('rejects namespaces that look like the ID of an organization', async () => {
      const { owner } = fleet();
      const { id: organizationId } = await newOrganization(owner);
      for (const publicNamespace of [(await newOrganization(owner)).id, randomUUID()]) {
        await assertRejected(
          owner.getOrganizationNamespaceAvailability({ publicNamespace }),
          Code.InvalidArgument,
          /^public_namespace: must not look like an ID/,
        );
        await assertRejected(
          owner.updateOrganization({ organizationId, publicNamespace }),
          Code.InvalidArgument,
          /^public_namespace: /,
        );
      }
    });

    it("finds members by address, but only in the caller's organizations", async () => {
      const { owner, deployment } = fleet();
      const { members } = await owner.listOrganizationMembers({
        organizationId: deployment.owner.organizationId,
      });
      const [member] = members;
      assert.ok(member?.emails[0]);
      const { userId } = await owner.getUserIDByEmail({ email: member.emails[0] });
      assert.equal(userId, member.userId);
      const { orgs } = await owner.listOrganizationsByUser({ userId });
      assert.deepEqual(
        orgs.map(({ orgId }) => orgId),
        [deployment.owner.organizationId],
      );
      const { machineId } = await newMachine(owner, deployment.owner.organizationId);
      const operator = await signInWithRole(fleet(), 'operator', 'robot', machineId);
      await assertRejected(operator.getUserIDByEmail({ email: member.emails[0] }), Code.NotFound);
      const stranger = await newStranger(fleet());
      await assertRejected(stranger.getUserIDByEmail({ email: member.emails[0] }), Code.NotFound);
      assert.deepEqual((await stranger.listOrganizationsByUser({ userId })).orgs, []);
    });

    it('rejects default fragments that could not be read again', async () => {
      const { owner } = fleet();
      const { id: organizationId } = await newOrganization(owner);
      const { fragment } = await owner.createFragment({ organizationId, name: 'cell' });
      const fragmentId = fragment?.id ?? '';
      const update = (fragmentVariables: JsonObject): Promise<unknown> =>
        owner.updateOrganization({
          organizationId,
          defaultFragments: { fragments: [{ fragmentId, fragmentVariables }] },
        });
      await update({ speed: 2 });
      await assertRejected(
        // Use a control character, which takes six bytes in JSON, so that the message itself stays
        // within its limit.
        update({ notes: '\u0001'.repeat(1024 * 1024) }),
        Code.InvalidArgument,
        /default_fragments: must not be larger/,
      );
      let deep: JsonValue = 'deep';
      for (let level = 0; level < 31; level += 1) deep = [deep];
      await assertRejected(update({ deep }), Code.InvalidArgument, /fragments\[0\].*be nested/);
      const { organization } = await owner.getOrganization({ organizationId });
      assert.deepEqual(organization?.defaultFragments?.fragments[0]?.fragmentVariables, {
        speed: 2,
      });
    });

    it('rejects default fragments that its machines cannot use', async () => {
      const { owner } = fleet();
      const { id: organizationId } = await newOrganization(owner);
      const { id: otherId } = await newOrganization(owner, 'Other');
      const newFragment = async (visibility: FragmentVisibility, of = organizationId) => {
        const request = { organizationId: of, name: 'cell', visibility };
        const { fragment } = await owner.createFragment(request);
        return fragment?.id ?? '';
      };
      const update = (...ids: string[]) =>
        owner.updateOrganization({
          organizationId,
          defaultFragments: { fragments: ids.map((fragmentId) => ({ fragmentId })) },
        });
      const own = await newFragment(FragmentVisibility.PRIVATE);
      const published = await newFragment(FragmentVisibility.PUBLIC_UNLISTED, otherId);
      const foreign = await newFragment(FragmentVisibility.PRIVATE, otherId);
      const { organization } = await update(own, published);
      assert.equal(organization?.defaultFragments?.fragments.length, 2);
      await assertRejected(
        update(own, ''),
        Code.InvalidArgument,
        /fragments\[1\].*must not be empty/,
      );
      for (const id of [foreign, 'absent']) {
        await assertRejected(
          update(own, id),
          Code.InvalidArgument,
          /^default_fragments\.fragments\[1\]\.fragment_id: there is no fragment ".*" that machines/,
        );
      }
      await owner.deleteFragment({ id: own });
      const { organization: after } = await update(own);
      assert.equal(after?.defaultFragments?.fragments[0]?.fragmentId, own, 'chosen before');
      assert.deepEqual((await update()).organization?.defaultFragments?.fragments, []);
      await assertRejected(update(own), Code.InvalidArgument);
    });

    it('deletes everything in it with it', async () => {
      const { owner } = fleet();
      const { id } = await newOrganization(owner);
      const { machineId, locationId, part } = await newMachine(owner, id);
      const insider = await signInWithRole(fleet(), 'owner', 'organization', id);
      const { fragment } = await owner.createFragment({ organizationId: id, name: 'f' });
      await owner.deleteOrganization({ organizationId: id });
      await assertRejected(owner.getOrganization({ organizationId: id }), Code.NotFound);
      await assertRejected(owner.getLocation({ locationId }), Code.NotFound);
      await assertRejected(owner.getRobot({ id: machineId }), Code.NotFound);
      await assertRejected(owner.getRobotPart({ id: part.id }), Code.NotFound);
      await assertRejected(owner.getFragment({ id: fragment?.id ?? '' }), Code.NotFound);
      await assertRejected(insider.listOrganizations({}), Code.Unauthenticated);
    });
  });
}
