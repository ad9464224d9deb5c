import assert from 'node:assert/strict';
import { Code } from '@connectrpc/connect';
import { PackageType } from '../../../src/gen/viam/app/packages/v1/packages_pb';
import {
  type ListRegistryItemsRequestSchema,
  RegistryItemStatus,
  Visibility,
} from '../../../src/gen/viam/app/v1/registry_pb';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { ModelType } from '../../../src/gen/viam/app/mltraining/v1/ml_training_pb';
import type { AppClient } from '../deployment';
import {
  assertRejected,
  type FleetUnderTest,
  newMachine,
  newOrganization,
  newStranger,
  signInWithRole,
} from '../fleetFixture';
import { newWorkshop, uploadModule, uploadPackage } from '../packageFixture';

const { PRIVATE, PUBLIC, PUBLIC_UNLISTED } = Visibility;
const { ML_MODEL, ML_TRAINING, MODULE } = PackageType;

export function registryContract(fleet: FleetUnderTest): void {
  describe('registry items', () => {
    let number = 0;
    const newItem = async (type = ML_MODEL, name = 'grasps') => {
      const { owner } = fleet();
      const { id: organizationId } = await newOrganization(owner);
      await owner.createRegistryItem({ organizationId, name, type });
      const itemId = `${organizationId}:${name}`;
      const update = (visibility: Visibility, description = '') =>
        owner.updateRegistryItem({ itemId, type, visibility, description });
      return { owner, organizationId, itemId, update };
    };
    const newNamespace = async (organizationId: string): Promise<string> => {
      number += 1;
      const publicNamespace = `space-${String(number)}-${organizationId.slice(0, 8)}`;
      await fleet().owner.updateOrganization({ organizationId, publicNamespace });
      return publicNamespace;
    };
    const list = async (
      app: AppClient,
      request: MessageInitShape<typeof ListRegistryItemsRequestSchema>,
    ): Promise<string[]> =>
      (await app.listRegistryItems(request)).items.map(({ name }) => name).sort();

    it('are private and in development when created, under the ID of their organization', async () => {
      const { owner, organizationId, itemId } = await newItem();
      const { item } = await owner.getRegistryItem({ itemId });
      assert.ok(item);
      assert.equal(item.itemId, itemId);
      assert.equal(item.name, 'grasps');
      assert.equal(item.type, ML_MODEL);
      assert.equal(item.organizationId, organizationId);
      assert.equal(item.visibility, PRIVATE);
      assert.equal(item.metadata.case, 'mlModelMetadata');
      assert.ok(item.createdAt);
      const statuses = [RegistryItemStatus.IN_DEVELOPMENT];
      assert.deepEqual(await list(owner, { organizationId, statuses }), ['grasps']);
    });

    it('are found by both IDs after their organization has a namespace', async () => {
      const { owner, organizationId, itemId } = await newItem();
      const namespace = await newNamespace(organizationId);
      for (const id of [itemId, `${namespace}:grasps`]) {
        const { item } = await owner.getRegistryItem({ itemId: id });
        assert.equal(item?.itemId, `${namespace}:grasps`);
        assert.equal(item.publicNamespace, namespace);
      }
    });

    it('have names that are unique in their organization and valid in an ID', async () => {
      const { owner, organizationId } = await newItem();
      const create = (name: string, type = MODULE) =>
        owner.createRegistryItem({ organizationId, name, type });
      await assertRejected(
        create('grasps'),
        Code.AlreadyExists,
        /already has a registry item "grasps"/,
      );
      for (const name of ['', ' ', 'a:b', 'a/b', 'a b', 'ä']) {
        await assertRejected(create(name), Code.InvalidArgument, /^name: /);
      }
      await assertRejected(create('x', PackageType.UNSPECIFIED), Code.InvalidArgument, /^type: /);
      await assertRejected(create('x', 99 as PackageType), Code.InvalidArgument, /^type: /);
      await create('Grasps_2-x');
    });

    it('are written only by owners, who can read and write private items', async () => {
      const { organizationId, itemId, update } = await newItem();
      const operator = await signInWithRole(fleet(), 'operator', 'organization', organizationId);
      const change = { itemId, type: ML_MODEL, visibility: PUBLIC };
      assert.ok((await operator.getRegistryItem({ itemId })).item);
      await assertRejected(operator.updateRegistryItem(change), Code.PermissionDenied, /private/);
      await assertRejected(operator.deleteRegistryItem({ itemId }), Code.PermissionDenied);
      await assertRejected(
        operator.createRegistryItem({ organizationId, name: 'mine', type: MODULE }),
        Code.PermissionDenied,
      );
      await update(PUBLIC);
      await assertRejected(operator.updateRegistryItem(change), Code.PermissionDenied, /public/);
    });

    it('do not exist for others while they are private', async () => {
      const { owner, organizationId, itemId } = await newItem();
      const { machineId } = await newMachine(owner, organizationId);
      const outsiders = [
        await newStranger(fleet()),
        await signInWithRole(fleet(), 'owner', 'robot', machineId),
      ];
      for (const outsider of outsiders) {
        for (const id of [itemId, `${organizationId}:absent`]) {
          const message = new RegExp(`^registry item "${id}" not found, or`);
          const change = { itemId: id, type: ML_MODEL, visibility: PRIVATE };
          await assertRejected(outsider.getRegistryItem({ itemId: id }), Code.NotFound, message);
          await assertRejected(outsider.updateRegistryItem(change), Code.NotFound, message);
          await assertRejected(outsider.deleteRegistryItem({ itemId: id }), Code.NotFound, message);
        }
        assert.deepEqual(await list(outsider, { organizationId }), []);
      }
    });

    it('are listed for everyone when public, and readable by ID when unlisted', async () => {
      const { organizationId, itemId, update } = await newItem();
      const stranger = await newStranger(fleet());
      await update(PUBLIC_UNLISTED);
      assert.ok((await stranger.getRegistryItem({ itemId })).item);
      assert.deepEqual(await list(stranger, { organizationId }), []);
      assert.deepEqual(await list(fleet().owner, { organizationId }), ['grasps']);
      await update(PUBLIC);
      assert.deepEqual(await list(stranger, { organizationId }), ['grasps']);
      const everywhere = await stranger.listRegistryItems({});
      assert.ok(everywhere.items.some((item) => item.itemId === itemId));
      await assertRejected(stranger.deleteRegistryItem({ itemId }), Code.PermissionDenied);
    });

    it('preserve their type, URL, metadata, and long text when an update omits them', async () => {
      const { owner, itemId } = await newItem();
      const change = { itemId, type: ML_MODEL, visibility: PRIVATE };
      await owner.updateRegistryItem({
        ...change,
        description: 'where to hold',
        url: 'https://example.com/grasps',
        markdownDescription: '# Grasps',
        metadata: {
          case: 'updateMlModelMetadata',
          value: { modelType: ModelType.OBJECT_DETECTION },
        },
      });
      await owner.updateRegistryItem({ ...change, description: 'new' });
      const { item } = await owner.getRegistryItem({ itemId });
      assert.equal(item?.description, 'new');
      assert.equal(item.url, 'https://example.com/grasps');
      assert.ok(item.metadata.case === 'mlModelMetadata');
      assert.equal(item.metadata.value.modelType, ModelType.OBJECT_DETECTION);
      const invalidRequests = [
        { ...change, type: MODULE },
        { ...change, visibility: Visibility.UNSPECIFIED },
        { ...change, url: 'javascript:alert(1)' },
        { ...change, description: 'x'.repeat(1001) },
        { ...change, metadata: { case: 'updateModuleMetadata' as const, value: {} } },
      ];
      for (const request of invalidRequests) {
        await assertRejected(owner.updateRegistryItem(request), Code.InvalidArgument);
      }
    });

    it('are filtered by every field of the request, except for empty ones', async () => {
      const { owner, organizationId, update } = await newItem();
      await update(PUBLIC, 'Where to HOLD things');
      await owner.createRegistryItem({ organizationId, name: 'learn', type: ML_TRAINING });
      await owner.createRegistryItem({ organizationId, name: 'wheels', type: MODULE });
      const namespace = await newNamespace(organizationId);
      const found = (request: MessageInitShape<typeof ListRegistryItemsRequestSchema>) =>
        list(owner, { organizationId, ...request });
      assert.deepEqual(await found({}), ['grasps', 'learn', 'wheels']);
      assert.deepEqual(await found({ types: [MODULE, ML_TRAINING] }), ['learn', 'wheels']);
      assert.deepEqual(await found({ visibilities: [PUBLIC] }), ['grasps']);
      assert.deepEqual(await found({ statuses: [RegistryItemStatus.PUBLISHED] }), ['grasps']);
      assert.deepEqual(await found({ platforms: ['linux/arm64'] }), [], 'nothing is uploaded');
      assert.deepEqual(await found({ platforms: [''], types: [0] }), ['grasps', 'learn', 'wheels']);
      assert.deepEqual(await found({ searchTerm: 'hold WHERE' }), ['grasps']);
      assert.deepEqual(await found({ searchTerm: '%' }), []);
      assert.deepEqual(await found({ searchTerm: `${namespace}:WHEELS` }), ['wheels']);
      assert.deepEqual(await found({ publicNamespaces: [namespace], types: [MODULE] }), ['wheels']);
      assert.deepEqual(await found({ publicNamespaces: ['nobody'] }), []);
      const everywhere = await owner.listRegistryItems({
        organizationId: '',
        publicNamespaces: [namespace],
      });
      assert.equal(everywhere.items.length, 3);
    });

    it('are found by the ID of their organization only as part of an entire item ID', async () => {
      const { owner, organizationId, itemId } = await newItem();
      const search = (searchTerm: string) => list(owner, { organizationId, searchTerm });
      assert.deepEqual(await search(itemId), ['grasps']);
      assert.deepEqual(await search(itemId.toUpperCase()), ['grasps']);
      assert.deepEqual(await search(organizationId.slice(0, 4)), []);
      await newNamespace(organizationId);
      assert.deepEqual(await search(itemId), ['grasps']);
    });

    it('are filtered by platform with every type of item and archives for any platform', async () => {
      const workshop = await newWorkshop(fleet());
      const { organizationId } = workshop;
      const { ML_MODEL: model, ML_TRAINING: training } = PackageType;
      await uploadModule(workshop, { platform: 'linux/any' });
      await uploadPackage(workshop, { name: 'grasps', type: model, platform: 'darwin/arm64' });
      await uploadPackage(workshop, { name: 'learn', type: training });
      const found = (...platforms: string[]) => list(workshop.app, { organizationId, platforms });
      assert.deepEqual(await found('linux/arm64'), ['learn', 'wheels']);
      assert.deepEqual(await found('darwin/arm64'), ['grasps', 'learn']);
      assert.deepEqual(await found('windows/amd64'), ['learn']);
      assert.deepEqual(await found('darwin/arm64', 'linux/386'), ['grasps', 'learn', 'wheels']);
    });

    it('remain drafts when an update omits the metadata of a training script', async () => {
      const { owner, organizationId, itemId } = await newItem(ML_TRAINING);
      const change = { itemId, type: ML_TRAINING, visibility: PRIVATE };
      const setDraft = (draft: boolean) =>
        owner.updateRegistryItem({
          ...change,
          metadata: { case: 'updateMlTrainingMetadata', value: { draft } },
        });
      const published = () =>
        list(owner, { organizationId, statuses: [RegistryItemStatus.PUBLISHED] });
      await setDraft(true);
      await owner.updateRegistryItem({ ...change, description: 'almost ready' });
      const { item } = await owner.getRegistryItem({ itemId });
      assert.ok(item?.metadata.case === 'mlTrainingMetadata' && item.metadata.value.draft);
      assert.deepEqual(await published(), []);
      await setDraft(false);
      await owner.updateRegistryItem({ ...change, description: 'ready' });
      assert.deepEqual(await published(), ['grasps']);
    });

    it('are listed after an item that the list no longer contains', async () => {
      const { owner, organizationId } = await newItem(MODULE, 'b');
      for (const name of ['a', 'c']) {
        await owner.createRegistryItem({ organizationId, name, type: MODULE });
      }
      const publish = (name: string, visibility: Visibility) =>
        owner.updateRegistryItem({
          itemId: `${organizationId}:${name}`,
          type: MODULE,
          visibility,
        });
      for (const name of ['a', 'b', 'c']) await publish(name, PUBLIC);
      await publish('b', PUBLIC_UNLISTED);
      const stranger = await newStranger(fleet());
      const pageToken = `${organizationId}:b`;
      assert.deepEqual(await list(stranger, { organizationId, pageToken }), ['c']);
    });

    it('are paged by the ID of the last item, and all listed without a token', async () => {
      const { owner, organizationId } = await newItem();
      for (const name of ['a', 'b']) {
        await owner.createRegistryItem({ organizationId, name, type: MODULE });
      }
      const { items } = await owner.listRegistryItems({ organizationId, pageToken: '' });
      assert.equal(items.length, 3);
      const { items: rest } = await owner.listRegistryItems({
        organizationId,
        pageToken: items[0]?.itemId ?? '',
      });
      assert.deepEqual(
        rest.map(({ itemId }) => itemId),
        items.slice(1).map(({ itemId }) => itemId),
      );
      for (const pageToken of ['nonsense', `${organizationId}:absent`]) {
        await assertRejected(
          owner.listRegistryItems({ organizationId, pageToken }),
          Code.InvalidArgument,
          /^page_token: /,
        );
      }
    });

    it('are not deleted while machines or fragments use them, and the error names those', async () => {
      const { owner, organizationId, itemId } = await newItem(MODULE, 'wheels');
      const { part } = await newMachine(owner, organizationId, 'rover');
      const modules = [{ type: 'registry', name: 'w', module_id: itemId, version: '1.0.0' }];
      const save = (robotConfig: object) =>
        owner.updateRobotPart({ id: part.id, name: part.name, robotConfig: { ...robotConfig } });
      await save({ modules });
      const { item } = await owner.getRegistryItem({ itemId });
      assert.equal(item?.totalRobotUsage, 1n);
      assert.equal(item.totalOrganizationUsage, 1n);
      assert.equal(item.totalExternalRobotUsage, 0n);
      await assertRejected(
        owner.deleteRegistryItem({ itemId }),
        Code.FailedPrecondition,
        /machine "rover"/,
      );
      const { fragment } = await owner.createFragment({
        organizationId,
        name: 'drive',
        config: { modules },
      });
      await save({ fragments: [fragment?.id ?? ''] });
      await assertRejected(
        owner.deleteRegistryItem({ itemId }),
        Code.FailedPrecondition,
        /machine "rover", fragment "drive"/,
      );
      await owner.updateFragment({ id: fragment?.id ?? '', name: 'drive', config: {} });
      await owner.deleteRegistryItem({ itemId });
      await assertRejected(owner.getRegistryItem({ itemId }), Code.NotFound);
      await owner.createRegistryItem({ organizationId, name: 'wheels', type: ML_MODEL });
    });

    it('count machines of others without naming them, and can be deleted while private despite those', async () => {
      const { owner, itemId, update } = await newItem(ML_MODEL);
      const { id: otherId } = await newOrganization(owner, 'Others');
      const { part } = await newMachine(owner, otherId, 'their-arm');
      await owner.updateRobotPart({
        id: part.id,
        name: part.name,
        robotConfig: { packages: [{ name: 'g', package: itemId.replace(':', '/') }] },
      });
      await update(PUBLIC);
      await assertRejected(
        owner.deleteRegistryItem({ itemId }),
        Code.FailedPrecondition,
        /used by 1 of other organizations:/,
      );
      const { item } = await owner.getRegistryItem({ itemId });
      assert.equal(item?.totalExternalRobotUsage, 1n);
      assert.equal(item.totalExternalOrganizationUsage, 1n);
      await update(PRIVATE);
      await owner.deleteRegistryItem({ itemId });
    });
  });
}
