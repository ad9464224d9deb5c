import assert from 'node:assert/strict';
import { Code } from '@connectrpc/connect';
import { FragmentVisibility } from '../../../src/gen/viam/app/v1/fragment_pb';
import { signIn } from '../deployment';
import {
  assertRejected,
  type FleetUnderTest,
  newMachine,
  newOrganization,
  newStranger,
  signInWithRole,
} from '../fleetFixture';
import { role } from '../permissions/permissionRequests';
import { NO_TIMES } from '../wireTimes';

const { PRIVATE, PUBLIC, PUBLIC_UNLISTED } = FragmentVisibility;

export function fragmentContract(fleet: FleetUnderTest): void {
  describe('fragments', () => {
    const newFragment = async (config = {}) => {
      const { owner } = fleet();
      const { id: organizationId } = await newOrganization(owner, 'Acme');
      const { fragment } = await owner.createFragment({ organizationId, name: 'cell', config });
      assert.ok(fragment);
      return { owner, organizationId, fragment };
    };

    it('are private when created', async () => {
      const { owner, organizationId, fragment } = await newFragment({ components: [] });
      assert.equal(fragment.visibility, PRIVATE);
      assert.equal(fragment.public, false);
      assert.equal(fragment.organizationOwner, organizationId);
      assert.equal(fragment.organizationName, 'Acme');
      assert.notEqual(fragment.revision, '');
      assert.deepEqual(fragment.fragment, { components: [] });
      await assertRejected(
        (await newStranger(fleet())).getFragment({ id: fragment.id }),
        Code.NotFound,
      );
      await assertRejected(
        owner.createFragment({ organizationId, name: '' }),
        Code.InvalidArgument,
      );
    });

    it('are listed in the order of their creation', async () => {
      const { owner, organizationId } = await newFragment();
      const names = ['zebra', 'ant', 'moth'];
      for (const name of names) await owner.createFragment({ organizationId, name, config: {} });
      const { fragments } = await owner.listFragments({
        organizationId,
        fragmentVisibility: [PRIVATE],
      });
      assert.deepEqual(
        fragments.map(({ name }) => name),
        ['cell', ...names],
      );
    });

    it('reject a config that no client could read', async () => {
      const { owner, organizationId, fragment } = await newFragment();
      await assertRejected(
        owner.createFragment({
          organizationId,
          name: 'f',
          config: { a: Number.POSITIVE_INFINITY },
        }),
        Code.InvalidArgument,
        /config\.a: numbers must be/,
      );
      const config = { a: 'x'.repeat(4 * 1024 * 1024) };
      await assertRejected(
        owner.updateFragment({ id: fragment.id, name: fragment.name, config }),
        Code.InvalidArgument,
        /config: must not be larger than 4 MiB/,
      );
    });

    it('are listed by visibility, and only public ones without a visibility', async () => {
      const { owner, organizationId, fragment } = await newFragment();
      const listed = async (fragmentVisibility: FragmentVisibility[]): Promise<boolean> =>
        (await owner.listFragments({ organizationId, fragmentVisibility })).fragments.some(
          ({ id }) => id === fragment.id,
        );
      assert.equal(await listed([]), false);
      assert.equal(await listed([PRIVATE]), true);
      assert.equal(await listed([PUBLIC, PUBLIC_UNLISTED]), false);
      await owner.updateFragment({ id: fragment.id, name: 'cell', visibility: PUBLIC });
      assert.equal(await listed([]), true);
      assert.equal(await listed([PRIVATE]), false);
    });

    it('are readable by everyone while they are public, and writable only by their owner', async () => {
      const { owner, fragment } = await newFragment({ version: 1 });
      await owner.updateFragment({ id: fragment.id, name: 'cell', config: { version: 2 } });
      await owner.updateFragment({ id: fragment.id, name: 'cell', visibility: PUBLIC_UNLISTED });
      const stranger = await newStranger(fleet());
      const read = await stranger.getFragment({ id: fragment.id });
      assert.deepEqual(read.fragment?.fragment, { version: 2 });
      await assertRejected(
        stranger.updateFragment({ id: fragment.id, name: 'mine' }),
        Code.PermissionDenied,
      );
      await assertRejected(stranger.deleteFragment({ id: fragment.id }), Code.PermissionDenied);
      assert.deepEqual(
        (await stranger.getFragmentHistory({ id: fragment.id })).history,
        [],
        'their private past stays private',
      );
    });

    it('hide their private revisions from machines and machine operators of their own organization', async () => {
      const { owner, organizationId, fragment } = await newFragment({ secret: 1 });
      await owner.updateFragment({ id: fragment.id, name: 'cell', visibility: PUBLIC });
      const { machineId } = await newMachine(owner, organizationId);
      const operator = await signInWithRole(fleet(), 'operator', 'robot', machineId);
      assert.deepEqual((await operator.getFragmentHistory({ id: fragment.id })).history, []);
      assert.equal((await owner.getFragmentHistory({ id: fragment.id })).history.length, 1);
    });

    it('preserve config and visibility when an update omits them', async () => {
      const { owner, fragment } = await newFragment({ a: 1 });
      const { fragment: renamed } = await owner.updateFragment({ id: fragment.id, name: 'b' });
      assert.equal(renamed?.name, 'b');
      assert.deepEqual(renamed.fragment, { a: 1 });
      assert.equal(renamed.visibility, PRIVATE);
      assert.notEqual(renamed.revision, fragment.revision);
      await assertRejected(
        owner.updateFragment({ id: fragment.id, name: '' }),
        Code.InvalidArgument,
      );
    });

    it('accept the deprecated public flag unless it contradicts the visibility', async () => {
      const { owner, fragment } = await newFragment();
      const { id } = fragment;
      const published = await owner.updateFragment({ id, name: 'cell', public: true });
      assert.equal(published.fragment?.visibility, PUBLIC);
      assert.equal(published.fragment.public, true);
      const hidden = await owner.updateFragment({ id, name: 'cell', public: false });
      assert.equal(hidden.fragment?.visibility, PRIVATE);
      await assertRejected(
        owner.updateFragment({ id, name: 'cell', public: true, visibility: PRIVATE }),
        Code.InvalidArgument,
      );
      await assertRejected(
        owner.updateFragment({ id, name: 'cell', public: false, visibility: PUBLIC }),
        Code.InvalidArgument,
      );
      await owner.updateFragment({ id, name: 'cell', public: true, visibility: PUBLIC });
      for (const flag of [true, false]) {
        const unlisted = { visibility: PUBLIC_UNLISTED, public: flag };
        const { fragment: changed } = await owner.updateFragment({ id, name: 'cell', ...unlisted });
        assert.equal(changed?.visibility, PUBLIC_UNLISTED);
      }
    });

    it('show the editors of a public fragment only to its organization', async () => {
      const { owner, organizationId, fragment } = await newFragment();
      const { id } = fragment;
      await owner.updateFragment({ id, name: 'cell', visibility: PUBLIC });
      await owner.updateFragment({ id, name: 'arm' });
      const operator = await signInWithRole(fleet(), 'operator', 'organization', organizationId);
      const own = await operator.getFragmentHistory({ id });
      assert.ok(own.history.length === 2 && own.history.every(({ editedBy }) => editedBy));
      const { machineId } = await newMachine(owner, organizationId);
      const outsiders = [
        await newStranger(fleet()),
        await signInWithRole(fleet(), 'owner', 'robot', machineId),
      ];
      for (const outsider of outsiders) {
        const { history } = await outsider.getFragmentHistory({ id });
        assert.deepEqual(
          history.map(({ old, editedBy }) => [old?.name, editedBy]),
          [['cell', undefined]],
        );
      }
    });

    it('reject an update over a version that the caller has not seen', async () => {
      const { owner, fragment } = await newFragment({ rpm: 1 });
      assert.ok(fragment.lastUpdated);
      await owner.updateFragment({ id: fragment.id, name: 'cell', config: { rpm: 2 } });
      await assertRejected(
        owner.updateFragment({
          id: fragment.id,
          name: 'cell',
          config: { rpm: 3 },
          lastKnownUpdate: fragment.lastUpdated,
        }),
        Code.Aborted,
      );
      const [lastKnownUpdate] = NO_TIMES;
      await assertRejected(
        owner.updateFragment({
          id: fragment.id,
          name: 'cell',
          config: { rpm: 3 },
          lastKnownUpdate,
        }),
        Code.InvalidArgument,
        /^last_known_update: /,
      );
      const { fragment: read } = await owner.getFragment({ id: fragment.id });
      assert.deepEqual(read?.fragment, { rpm: 2 });
    });

    it('return their history in pages of ten', async () => {
      const { owner, fragment } = await newFragment({ version: 0 });
      for (let version = 1; version <= 12; version++) {
        await owner.updateFragment({ id: fragment.id, name: 'cell', config: { version } });
      }
      const first = await owner.getFragmentHistory({ id: fragment.id });
      assert.equal(first.history.length, 10);
      assert.deepEqual(first.history[0]?.old?.fragment, { version: 11 });
      assert.deepEqual(first.history[0].config, { version: 11 });
      assert.equal(first.history[0].revision, first.history[0].old.revision);
      const rest = await owner.getFragmentHistory({
        id: fragment.id,
        pageToken: first.nextPageToken,
      });
      assert.deepEqual(
        rest.history.map((entry) => entry.config),
        [{ version: 1 }, { version: 0 }],
      );
      assert.equal(rest.nextPageToken, '');
      await assertRejected(
        owner.getFragmentHistory({ id: fragment.id, pageToken: '!' }),
        Code.InvalidArgument,
      );
    });

    it('report whether the key of an editor was deleted', async () => {
      const { owner, organizationId, fragment } = await newFragment();
      const authorizations = [role('organization_owner', organizationId)];
      const key = await owner.createKey({ authorizations });
      const editor = await signIn(fleet().deployment, key);
      await editor.updateFragment({ id: fragment.id, name: 'cell', config: { rpm: 1 } });
      const edit = async () => (await owner.getFragmentHistory({ id: fragment.id })).history[0];
      assert.equal((await edit())?.editedBy?.isDeactivated, false);
      await owner.deleteKey({ id: key.id });
      assert.equal((await edit())?.editedBy?.isDeactivated, true);
    });

    it('are not found after they are deleted', async () => {
      const { owner, fragment } = await newFragment();
      await owner.deleteFragment({ id: fragment.id });
      await assertRejected(owner.getFragment({ id: fragment.id }), Code.NotFound);
      await assertRejected(owner.deleteFragment({ id: fragment.id }), Code.NotFound);
    });
  });
}
