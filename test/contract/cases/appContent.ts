import assert from 'node:assert/strict';
import { Code } from '@connectrpc/connect';
import { AppType, Visibility } from '../../../src/gen/viam/app/v1/registry_pb';
import type { AppClient } from '../deployment';
import {
  assertRejected,
  type FleetUnderTest,
  newOrganization,
  newStranger,
  signInWithRole,
} from '../fleetFixture';
import { uploadModule } from '../packageFixture';

export function appContentContract(fleet: FleetUnderTest): void {
  describe('app content', () => {
    const newApp = async (visibility: Visibility, allowed?: string[]) => {
      const { owner } = fleet();
      const { id: organizationId } = await newOrganization(owner);
      const publicNamespace = `apps-${organizationId.slice(0, 8)}`;
      await owner.updateOrganization({ organizationId, publicNamespace });
      const { moduleId } = await owner.createModule({ organizationId, name: 'panels' });
      const update = (names: string[], id = moduleId) =>
        owner.updateModule({
          moduleId: id,
          entrypoint: 'bin/panels',
          visibility,
          apps: names.map((name) => ({
            name,
            type: 'multi_machine',
            entrypoint: 'dist/index.html',
            ...(allowed && { allowedOrgIds: { ids: allowed } }),
          })),
        });
      await update(['panel']);
      return { owner, organizationId, publicNamespace, moduleId, update, name: 'panel' };
    };

    it('is found by the namespace and name of the app', async () => {
      const { owner, moduleId, publicNamespace, name } = await newApp(Visibility.PUBLIC);
      const content = await owner.getAppContent({ publicNamespace, name });
      assert.equal(content.entrypoint, 'dist/index.html');
      assert.equal(content.appType, AppType.MULTI_MACHINE);
      assert.equal(content.public, true);
      assert.equal(content.blobPath, '', 'no version of the module is uploaded');
      await uploadModule({ app: owner, moduleId }, { version: '1.0.0' });
      const newest = await uploadModule({ app: owner, moduleId }, { version: '1.10.0' });
      await uploadModule({ app: owner, moduleId }, { version: '1.9.0' });
      const { blobPath } = await owner.getAppContent({ publicNamespace, name });
      assert.equal(fleet().deployment.url + blobPath, newest);
      await assertRejected(
        owner.getAppContent({ publicNamespace, name: 'absent' }),
        Code.NotFound,
        /^app ".*\/absent" not found, or/,
      );
      await assertRejected(owner.getAppContent({ name }), Code.InvalidArgument, /public_namespace/);
      await assertRejected(owner.getAppContent({ publicNamespace }), Code.InvalidArgument, /^name/);
    });

    it('does not exist for other organizations while the module is private', async () => {
      const app = await newApp(Visibility.PRIVATE);
      const stranger = await newStranger(fleet());
      const operator = await signInWithRole(
        fleet(),
        'operator',
        'organization',
        app.organizationId,
      );
      assert.equal((await operator.getAppContent(app)).public, false);
      await assertRejected(stranger.getAppContent(app), Code.NotFound);
    });

    it('is available to the organizations that the publisher allows', async () => {
      const { id: guestId } = await newOrganization(fleet().owner, 'Guests');
      const app = await newApp(Visibility.PUBLIC, [guestId]);
      const guest = await signInWithRole(fleet(), 'operator', 'organization', guestId);
      assert.equal((await guest.getAppContent(app)).public, false);
      await assertRejected((await newStranger(fleet())).getAppContent(app), Code.NotFound);
    });

    it('shows the allowed organizations only to members, and to others their own', async () => {
      const { id: guestId } = await newOrganization(fleet().owner, 'Guests');
      const { id: otherId } = await newOrganization(fleet().owner, 'Others');
      const { owner, organizationId, moduleId } = await newApp(Visibility.PUBLIC, [
        guestId,
        otherId,
      ]);
      await uploadModule({ app: owner, moduleId });
      const guest = await signInWithRole(fleet(), 'operator', 'organization', guestId);
      const operator = await signInWithRole(fleet(), 'operator', 'organization', organizationId);
      const readAllowed = async (app: AppClient): Promise<string[][]> => {
        const { item } = await app.getRegistryItem({ itemId: moduleId });
        const { items } = await app.listRegistryItems({ organizationId });
        const { module } = await app.getModule({ moduleId });
        const descriptions = [item, ...items].map((each) => {
          assert.ok(each?.metadata.case === 'moduleMetadata');
          return each.metadata.value;
        });
        const lists = [
          module?.apps,
          ...(module?.versions ?? []).map(({ apps }) => apps),
          ...descriptions.map(({ apps }) => apps),
          descriptions[0]?.versions[0]?.apps,
        ];
        return lists.map((apps) => apps?.[0]?.allowedOrgIds?.ids ?? ['everyone']);
      };
      const expectations = [
        [owner, [guestId, otherId]],
        [operator, [guestId, otherId]],
        [guest, [guestId]],
        [await newStranger(fleet()), []],
      ] as const;
      for (const [app, ids] of expectations) {
        assert.deepEqual(await readAllowed(app), Array<readonly string[]>(5).fill(ids));
      }
      const { modules } = await operator.listModules({ organizationId });
      assert.deepEqual(modules[0]?.apps[0]?.allowedOrgIds?.ids, [guestId, otherId]);
    });

    it('follows the module, and rejects a name that another module of the organization uses', async () => {
      const app = await newApp(Visibility.PUBLIC);
      const { owner, organizationId } = app;
      const { moduleId } = await owner.createModule({ organizationId, name: 'other' });
      await assertRejected(app.update(['panel'], moduleId), Code.AlreadyExists, /app "panel"/);
      await app.update(['desk']);
      await assertRejected(owner.getAppContent(app), Code.NotFound);
      assert.ok(await owner.getAppContent({ ...app, name: 'desk' }));
      await app.update(['panel'], moduleId);
      assert.ok(await owner.getAppContent(app));
    });
  });
}
