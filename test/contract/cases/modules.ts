import assert from 'node:assert/strict';
import { Code } from '@connectrpc/connect';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { PackageType } from '../../../src/gen/viam/app/packages/v1/packages_pb';
import {
  ModuleLanguage,
  type UpdateModuleRequestSchema,
  Visibility,
} from '../../../src/gen/viam/app/v1/registry_pb';
import {
  assertRejected,
  type FleetUnderTest,
  newMachine,
  newOrganization,
  newStranger,
  signInWithRole,
} from '../fleetFixture';

const { PRIVATE, PUBLIC } = Visibility;
const MODEL = { api: 'rdk:component:base', model: 'acme:wheels:fast' };

export function moduleContract(fleet: FleetUnderTest): void {
  describe('modules', () => {
    const newModule = async () => {
      const { owner } = fleet();
      const { id: organizationId } = await newOrganization(owner);
      const { moduleId, url } = await owner.createModule({ organizationId, name: 'wheels' });
      const update = (change: MessageInitShape<typeof UpdateModuleRequestSchema> = {}) =>
        owner.updateModule({ moduleId, entrypoint: 'bin/wheels', ...change });
      return { owner, organizationId, moduleId, url, update };
    };

    it('are registry items of their own type, with a page', async () => {
      const { owner, organizationId, moduleId, url } = await newModule();
      assert.equal(moduleId, `${organizationId}:wheels`);
      assert.match(url, new RegExp(`^https?://.+/module/${organizationId}/wheels$`));
      const { item } = await owner.getRegistryItem({ itemId: moduleId });
      assert.equal(item?.type, PackageType.MODULE);
      const { module } = await owner.getModule({ moduleId });
      assert.equal(module?.moduleId, moduleId);
      assert.equal(module.name, 'wheels');
      assert.equal(module.visibility, PRIVATE);
      assert.equal(module.organizationId, organizationId);
    });

    it('have IDs with the namespace if the organization has one', async () => {
      const { owner, organizationId, moduleId } = await newModule();
      const publicNamespace = `m-${organizationId.slice(0, 8)}`;
      await owner.updateOrganization({ organizationId, publicNamespace });
      const created = await owner.createModule({ organizationId, name: 'arms' });
      assert.equal(created.moduleId, `${publicNamespace}:arms`);
      assert.match(created.url, new RegExp(`/module/${publicNamespace}/arms$`));
      const { module } = await owner.getModule({ moduleId });
      assert.equal(module?.moduleId, `${publicNamespace}:wheels`);
      assert.equal(module.publicNamespace, publicNamespace);
    });

    it('have names that are unique among all items of their organization', async () => {
      const { owner, organizationId } = await newModule();
      const create = (name: string) => owner.createModule({ organizationId, name });
      await assertRejected(create('wheels'), Code.AlreadyExists);
      await assertRejected(create(''), Code.InvalidArgument);
      await assertRejected(create('a:b'), Code.InvalidArgument);
      await assertRejected(
        owner.createModule({ organizationId: 'absent', name: 'a' }),
        Code.NotFound,
      );
    });

    it('are changed by an update, which returns their page', async () => {
      const { owner, moduleId, url, update } = await newModule();
      const answer = await update({
        visibility: PUBLIC,
        url: 'https://example.com/wheels',
        description: 'Drives',
        models: [{ ...MODEL, markdownDocumentation: '# Fast' }],
        firstRun: 'setup.sh',
        markdownDescription: '# Wheels',
      });
      assert.equal(answer.url, url);
      const brief = (await owner.getModule({ moduleId })).module;
      assert.equal(brief?.visibility, PUBLIC);
      assert.equal(brief.entrypoint, 'bin/wheels');
      assert.equal(brief.url, 'https://example.com/wheels');
      assert.equal(brief.firstRun, 'setup.sh');
      assert.equal(brief.models[0]?.model, MODEL.model);
      assert.equal(brief.markdownDescription, undefined);
      const full = await owner.getModule({ moduleId, includeMarkdownDocumentation: true });
      assert.equal(full.module?.markdownDescription, '# Wheels');
      assert.equal(full.module.models[0]?.markdownDocumentation, '# Fast');
      await update({ description: 'Drives' });
      const after = (await owner.getModule({ moduleId })).module;
      assert.equal(after?.visibility, PRIVATE, 'unspecified is private');
      assert.equal(after.url, '');
      assert.deepEqual(after.models, []);
      assert.equal(after.firstRun, undefined);
    });

    it('preserve their source when the registry item is updated', async () => {
      const { owner, moduleId, update } = await newModule();
      await owner.updateRegistryItem({
        itemId: moduleId,
        type: PackageType.MODULE,
        visibility: PRIVATE,
        metadata: {
          case: 'updateModuleMetadata',
          value: { entrypoint: 'old', language: ModuleLanguage.GOLANG, models: [MODEL] },
        },
      });
      await update();
      const { items } = await owner.listRegistryItems({
        organizationId: moduleId.split(':')[0] ?? '',
        moduleLanguages: [ModuleLanguage.GOLANG],
      });
      assert.ok(items[0]?.metadata.case === 'moduleMetadata');
      assert.equal(items[0].metadata.value.entrypoint, 'bin/wheels');
    });

    it('reject invalid entrypoints, URLs, models, and apps', async () => {
      const { owner, moduleId, update } = await newModule();
      const app = { name: 'panel', type: 'single_machine', entrypoint: 'index.html' };
      const invalidChanges: [MessageInitShape<typeof UpdateModuleRequestSchema>, RegExp][] = [
        [{ entrypoint: ' ' }, /^entrypoint: /],
        [{ url: 'wheels' }, /^url: /],
        [{ models: [MODEL, { ...MODEL, api: 'base' }] }, /^models\[1\]\.api: /],
        [{ models: [{ ...MODEL, model: 'acme:wheels' }] }, /^models\[0\]\.model: /],
        [{ visibility: 9 as Visibility }, /^visibility: /],
        [{ apps: [{ ...app, type: 'phone' }] }, /^apps\[0\]\.type: /],
        [{ apps: [{ ...app, name: 'a b' }] }, /^apps\[0\]\.name: /],
        [{ apps: [{ ...app, entrypoint: '../secret' }] }, /^apps\[0\]\.entrypoint: /],
        [{ apps: [app, app] }, /^apps\[1\]\.name: /],
      ];
      for (const [change, message] of invalidChanges) {
        await assertRejected(update(change), Code.InvalidArgument, message);
      }
      await assertRejected(update({ moduleId: 'wheels' }), Code.InvalidArgument, /^module_id: /);
      assert.equal((await owner.getModule({ moduleId })).module?.entrypoint, '', 'nothing changed');
    });

    it('are distinct from other items', async () => {
      const { owner, organizationId } = await newModule();
      const type = PackageType.ML_MODEL;
      await owner.createRegistryItem({ organizationId, name: 'grasps', type });
      const moduleId = `${organizationId}:grasps`;
      await assertRejected(owner.getModule({ moduleId }), Code.NotFound, /^module /);
      await assertRejected(owner.updateModule({ moduleId, entrypoint: 'x' }), Code.NotFound);
      const { modules } = await owner.listModules({ organizationId });
      assert.deepEqual(
        modules.map(({ name }) => name),
        ['wheels'],
      );
    });

    it('are listed for members, including private ones for those who can read them', async () => {
      const { owner, organizationId, moduleId, update } = await newModule();
      const { machineId } = await newMachine(owner, organizationId);
      const driver = await signInWithRole(fleet(), 'owner', 'robot', machineId);
      const operator = await signInWithRole(fleet(), 'operator', 'organization', organizationId);
      const count = async (app: typeof owner) =>
        (await app.listModules({ organizationId })).modules.length;
      assert.deepEqual([await count(operator), await count(driver)], [1, 0]);
      await update({ visibility: PUBLIC });
      assert.deepEqual([await count(operator), await count(driver)], [1, 1]);
      const stranger = await newStranger(fleet());
      await assertRejected(stranger.listModules({ organizationId }), Code.NotFound);
      await assertRejected(owner.listModules({}), Code.InvalidArgument);
      assert.ok((await stranger.getModule({ moduleId })).module);
      const change = { moduleId, entrypoint: 'x' };
      await assertRejected(operator.updateModule(change), Code.PermissionDenied);
      await assertRejected(stranger.updateModule(change), Code.PermissionDenied);
    });
  });
}
