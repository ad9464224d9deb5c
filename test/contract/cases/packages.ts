import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { type JsonObject, toJson } from '@bufbuild/protobuf';
import { Code } from '@connectrpc/connect';
import { ModelFramework, ModelType } from '../../../src/gen/viam/app/mltraining/v1/ml_training_pb';
import { PackageType } from '../../../src/gen/viam/app/packages/v1/packages_pb';
import {
  MLModelMetadataSchema,
  RegistryItemStatus,
  Visibility,
} from '../../../src/gen/viam/app/v1/registry_pb';
import { signInAsPart } from '../deployment';
import { assertRejected, type FleetUnderTest, newMachine } from '../fleetFixture';
import {
  newWorkshop,
  createRegistryClients,
  registryClientsWithRole,
  uploadModule,
  uploadPackage,
  type Workshop,
} from '../packageFixture';

const { ARCHIVE, ML_MODEL, ML_TRAINING, MODULE, SLAM_MAP, UNSPECIFIED } = PackageType;

export function packageContract(fleet: FleetUnderTest): void {
  describe('packages', () => {
    const listVersions = async ({ packages, organizationId }: Workshop): Promise<string[]> =>
      (await packages.listPackages({ organizationId })).packages.map(
        ({ info }) => `${info?.name ?? ''} ${info?.version ?? ''} ${info?.platform ?? ''}`,
      );
    const get = async ({ token }: { token: string }, url = ''): Promise<Response> =>
      fetch(url, { headers: { authorization: `Bearer ${token}` } });

    it('preserve their description, and create the registry item that the first one describes', async () => {
      const workshop = await newWorkshop(fleet());
      const { app, packages, organizationId } = workshop;
      const metadata = {
        model_type: 'object_detection',
        model_framework: 'tflite',
        draft: false,
        url: 'https://example.com/learn',
        visibility: 'public',
        lessons: 3,
      };
      const files = [{ name: 'model/training.py', size: 12n }];
      const created = await uploadPackage(workshop, { metadata, files }, [
        Buffer.from('train'),
        Buffer.from('ing'),
      ]);
      const id = `${organizationId}/learn`;
      assert.deepEqual([created.id, created.version], [id, '1.0.0']);
      const { package: found } = await packages.getPackage({
        id,
        version: '1.0.0',
        type: ML_TRAINING,
        includeUrl: true,
      });
      assert.equal(found?.id, id);
      assert.equal(found.checksum, createHash('sha256').update('training').digest('hex'));
      assert.ok(found.createdOn);
      assert.deepEqual(found.info?.metadata, metadata);
      assert.deepEqual(
        found.info.files.map(({ name, size }) => [name, size]),
        [['model/training.py', 12n]],
      );
      assert.equal(await (await get(workshop, found.url)).text(), 'training');
      const { item } = await app.getRegistryItem({ itemId: id.replace('/', ':') });
      assert.equal(item?.visibility, Visibility.PUBLIC);
      assert.equal(item.url, 'https://example.com/learn');
      assert.ok(item.metadata.case === 'mlTrainingMetadata');
      const { modelType, modelFramework, versions } = item.metadata.value;
      assert.equal(modelType, ModelType.OBJECT_DETECTION);
      assert.equal(modelFramework, ModelFramework.TFLITE);
      assert.deepEqual(
        versions.map(({ version }) => version),
        ['1.0.0'],
      );
      const statuses = [RegistryItemStatus.PUBLISHED];
      assert.equal((await app.listRegistryItems({ organizationId, statuses })).items.length, 1);
    });

    it('never change an existing item', async () => {
      const workshop = await newWorkshop(fleet());
      const { app, organizationId } = workshop;
      const itemId = `${organizationId}:grasps`;
      await uploadPackage(workshop, { name: 'grasps', type: ML_MODEL, metadata: { draft: true } });
      const change = { itemId, type: ML_MODEL, visibility: Visibility.PUBLIC, description: 'How' };
      await app.updateRegistryItem(change);
      const metadata = { visibility: 'private', model_framework: 'onnx' };
      await uploadPackage(workshop, { name: 'grasps', type: ML_MODEL, version: '2', metadata });
      const { item } = await app.getRegistryItem({ itemId });
      assert.deepEqual([item?.visibility, item?.description], [Visibility.PUBLIC, 'How']);
      assert.ok(item?.metadata.case === 'mlModelMetadata');
      assert.deepEqual(
        item.metadata.value.detailedVersions.map(({ version }) => version),
        ['1.0.0', '2'],
      );
      const older = toJson(MLModelMetadataSchema, item.metadata.value) as JsonObject;
      assert.deepEqual(older.versions, ['1.0.0', '2']);
      assert.equal(item.metadata.value.modelFramework, ModelFramework.UNSPECIFIED);
    });

    it('are found by newest version, by platform, and by type', async () => {
      const workshop = await newWorkshop(fleet());
      const { packages, organizationId } = workshop;
      for (const [version, platform] of [
        ['1.10.0', 'linux/any'],
        ['1.10.0', 'any'],
        ['1.9.0', 'linux/arm64'],
      ] as const) {
        await uploadModule(workshop, { version, platform });
      }
      const id = `${organizationId}/wheels`;
      const found = async (request: object): Promise<string> => {
        const { package: one } = await packages.getPackage({ id, ...request });
        return `${one?.info?.version ?? ''} ${one?.info?.platform ?? ''}`;
      };
      assert.equal(await found({ version: 'latest', platform: 'linux/arm64' }), '1.10.0 linux/any');
      assert.equal(await found({ platform: 'darwin/arm64' }), '1.10.0 any');
      assert.equal(await found({ version: '1.9.0' }), '1.9.0 linux/arm64');
      assert.equal(await found({ type: MODULE, version: '1.9.0' }), '1.9.0 linux/arm64');
      assert.equal(await found({ type: UNSPECIFIED, version: '1.9.0' }), '1.9.0 linux/arm64');
      const { package: one } = await packages.getPackage({ id });
      assert.equal(one?.url, '', 'the URL was not requested');
      assert.deepEqual(
        one.info?.files.map(({ name, size }) => [name, size]),
        [['wheels-1.10.0-any.tar.gz', 7n]],
      );
      for (const request of [
        ...[{ version: '1.9.0', platform: 'darwin/arm64' }, { version: '3.0.0' }],
        ...[{ type: ML_MODEL }, { id: `${organizationId}/absent` }, { id: 'nobody/wheels' }],
      ]) {
        await assertRejected(found(request), Code.NotFound, /^package "/);
      }
      await assertRejected(found({ id: 'wheels' }), Code.InvalidArgument, /^id: /);
    });

    it('other than modules are ordered by upload time, regardless of version and platform', async () => {
      const workshop = await newWorkshop(fleet());
      const { packages, organizationId } = workshop;
      const sent = [
        ['9', 'linux/amd64'],
        ['10', 'linux/amd64'],
        ['10', 'linux/arm64'],
        ['1', 'any'],
      ] as const;
      for (const [version, platform] of sent) await uploadPackage(workshop, { version, platform });
      const id = `${organizationId}/learn`;
      const newest = async (request: object): Promise<string | undefined> =>
        (await packages.getPackage({ id, ...request })).package?.info?.version;
      assert.equal(await newest({}), '1');
      assert.equal(await newest({ version: 'latest', platform: 'linux/amd64' }), '1');
      const all = await packages.listPackages({ organizationId });
      assert.deepEqual(
        all.packages.map(({ info }) => [info?.version, info?.platform]),
        sent,
      );
      await packages.deletePackage({ id, version: '1' });
      assert.equal(await newest({}), '10');
    });

    it('are listed by name, version, and type, also by the namespace of the organization', async () => {
      const workshop = await newWorkshop(fleet());
      const { app, packages, organizationId } = workshop;
      await uploadModule(workshop, { version: '2.0.0' });
      await uploadModule(workshop);
      await uploadPackage(workshop);
      await uploadPackage(workshop, { name: 'hall', type: SLAM_MAP, version: 'floor_2' });
      const names = async (request: object): Promise<string[]> =>
        (await packages.listPackages({ organizationId, ...request })).packages.map(
          ({ info }) => `${info?.name ?? ''} ${info?.version ?? ''}`,
        );
      const modules = ['wheels 1.0.0', 'wheels 2.0.0'];
      assert.deepEqual(await names({}), ['hall floor_2', 'learn 1.0.0', ...modules]);
      assert.deepEqual(await names({ type: MODULE }), modules);
      assert.deepEqual(await names({ name: 'wheels', version: '2.0.0' }), ['wheels 2.0.0']);
      assert.deepEqual(await names({ type: ARCHIVE }), []);
      const { packages: some } = await packages.listPackages({ organizationId, includeUrl: true });
      assert.ok(some.every(({ url }) => url !== ''));
      const publicNamespace = `p-${organizationId.slice(0, 8)}`;
      await app.updateOrganization({ organizationId, publicNamespace });
      const { package: one } = await packages.getPackage({ id: `${publicNamespace}/learn` });
      assert.equal(one?.id, `${organizationId}/learn`);
    });

    it('without a version get the time as their version', async () => {
      const workshop = await newWorkshop(fleet());
      const { version } = await uploadPackage(workshop, { version: '' });
      assert.match(version, /^\d{12,}$/);
      assert.deepEqual(await listVersions(workshop), [`learn ${version} any`]);
    });

    it('that break a rule report which one, and leave neither package nor item', async () => {
      const workshop = await newWorkshop(fleet());
      const invalidUploads: [Parameters<typeof uploadPackage>[1], RegExp][] = [
        [{ name: '' }, /^name: /],
        [{ name: '../learn' }, /^name: /],
        [{ name: 'a\nb' }, /^name: /],
        [{ version: 'latest' }, /^version: /],
        [{ version: '../1' }, /^version: /],
        [{ version: 'x'.repeat(101) }, /^version: /],
        [{ platform: 'linux' }, /^platform: /],
        [{ type: UNSPECIFIED }, /^type: /],
        [{ type: 9 as PackageType }, /^type: /],
        [{ metadata: { visibility: 'secret' } }, /^metadata\.visibility: /],
        [{ metadata: { url: 'javascript:alert(1)' } }, /^url: /],
        [{ metadata: { model_type: 'toString' } }, /^metadata\.model_type: /],
        [{ metadata: { draft: 'no' } }, /^metadata\.draft: /],
        [{ name: 'wheels' }, /^type: "wheels" is of the type MODULE/],
        [{ name: 'wheels', type: MODULE, version: 'x' }, /^version: must be a semantic/],
      ];
      for (const [info, message] of invalidUploads) {
        await assertRejected(uploadPackage(workshop, info), Code.InvalidArgument, message);
      }
      await assertRejected(uploadPackage(workshop, {}, []), Code.InvalidArgument, /empty/);
      await assertRejected(
        uploadPackage(workshop, { name: 'absent', type: MODULE }),
        Code.NotFound,
        /^module /,
      );
      const { items } = await workshop.app.listRegistryItems({
        organizationId: workshop.organizationId,
      });
      assert.deepEqual(
        items.map(({ name }) => name),
        ['wheels'],
      );
      await uploadPackage(workshop, { name: 'wheels', type: MODULE });
      assert.deepEqual(await listVersions(workshop), ['wheels 1.0.0 any']);
    });

    it('succeed once, even if two for a new item are uploaded at the same time', async () => {
      const workshop = await newWorkshop(fleet());
      const answers = await Promise.allSettled(
        Array.from({ length: 4 }, (_, index) =>
          uploadPackage(workshop, {}, [Buffer.alloc(10_000, index)]),
        ),
      );
      assert.equal(answers.filter(({ status }) => status === 'fulfilled').length, 1);
      await assertRejected(uploadPackage(workshop), Code.AlreadyExists, /uploaded already/);
      assert.deepEqual(await listVersions(workshop), ['learn 1.0.0 any']);
    });

    it('of several versions can be uploaded at the same time to a new item', async () => {
      const workshop = await newWorkshop(fleet());
      const versions = Array.from({ length: 8 }, (_, index) => `1.0.${String(index)}`);
      // Different bytes, because uploads of the same bytes would wait for each other.
      await Promise.all(
        versions.map((version) => uploadPackage(workshop, { version }, [Buffer.from(version)])),
      );
      assert.deepEqual(
        (await listVersions(workshop)).sort(),
        versions.map((version) => `learn ${version} any`),
      );
    });

    it('are deleted by version unless a config names it', async () => {
      const workshop = await newWorkshop(fleet());
      const { app, packages, organizationId, moduleId } = workshop;
      for (const version of ['1.0.0', '2.0.0']) {
        await uploadModule(workshop, { version });
      }
      await uploadPackage(workshop);
      const { part } = await newMachine(app, organizationId, 'rover');
      const save = (robotConfig: object) =>
        app.updateRobotPart({ id: part.id, name: part.name, robotConfig: { ...robotConfig } });
      const modules = [{ type: 'registry', name: 'w', module_id: moduleId, version: '2.0.0' }];
      const scripts = [{ name: 'l', package: `${organizationId}/learn`, version: 'latest' }];
      await save({ modules, packages: scripts });
      const remove = (name: string, version: string) =>
        packages.deletePackage({ id: `${organizationId}/${name}`, version });
      const used = /version .* of package .* is used by machine "rover"/;
      await assertRejected(remove('wheels', '2.0.0'), Code.FailedPrecondition, used);
      await assertRejected(remove('learn', '1.0.0'), Code.FailedPrecondition, used);
      await assertRejected(remove('wheels', '3.0.0'), Code.NotFound);
      await remove('wheels', '1.0.0');
      await assertRejected(remove('wheels', '1.0.0'), Code.NotFound);
      assert.deepEqual(await listVersions(workshop), [
        'learn 1.0.0 any',
        'wheels 2.0.0 linux/amd64',
      ]);
      await save({});
      await remove('wheels', '2.0.0');
      await remove('learn', '1.0.0');
      assert.deepEqual(await listVersions(workshop), []);
      assert.ok((await app.getModule({ moduleId })).module, 'the item stays');
      await uploadModule(workshop, { version: '2.0.0' });
    });

    it('retain their bytes as long as one of several versions has them', async () => {
      const workshop = await newWorkshop(fleet());
      const { packages, organizationId } = workshop;
      await uploadPackage(workshop);
      await uploadPackage(workshop, { version: '2' });
      const id = `${organizationId}/learn`;
      await packages.deletePackage({ id, version: '1.0.0' });
      const { package: left } = await packages.getPackage({ id, includeUrl: true });
      assert.equal(await (await get(workshop, left?.url)).text(), 'archive');
    });

    it('are written by owners, and read by members and machines', async () => {
      const workshop = await newWorkshop(fleet());
      const { app, organizationId } = workshop;
      await uploadPackage(workshop);
      const { part } = await newMachine(app, organizationId);
      const accessToken = await signInAsPart(fleet().deployment, part);
      const machine = createRegistryClients(fleet(), accessToken);
      const id = `${organizationId}/learn`;
      const request = { id, version: '1.0.0', includeUrl: true };
      const { package: found } = await machine.packages.getPackage(request);
      assert.equal(await (await get(machine, found?.url)).text(), 'archive');
      const operator = {
        organizationId,
        ...(await registryClientsWithRole(fleet(), 'organization_operator', organizationId)),
      };
      assert.ok((await operator.packages.getPackage(request)).package);
      await assertRejected(uploadPackage(operator, { version: '2' }), Code.PermissionDenied);
      await assertRejected(operator.packages.deletePackage(request), Code.PermissionDenied);
      const stranger = await newWorkshop(fleet());
      await assertRejected(stranger.packages.getPackage(request), Code.NotFound);
      await assertRejected(
        uploadPackage({ ...stranger, organizationId }, { version: '2' }),
        Code.NotFound,
      );
      await assertRejected(stranger.packages.listPackages({ organizationId }), Code.NotFound);
    });
  });
}
