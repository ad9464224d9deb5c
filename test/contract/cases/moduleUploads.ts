import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { Code, ConnectError } from '@connectrpc/connect';
import { Visibility } from '../../../src/gen/viam/app/v1/registry_pb';
import { signInAsPart } from '../deployment';
import { assertRejected, type FleetUnderTest, newMachine } from '../fleetFixture';
import {
  newWorkshop,
  createRegistryClients,
  registryClientsWithRole,
  uploadModule,
  type Workshop,
} from '../packageFixture';

export function moduleUploadContract(fleet: FleetUnderTest): void {
  describe('uploads of modules', () => {
    const listVersions = async ({ app, moduleId }: Workshop): Promise<string[]> => {
      const { module } = await app.getModule({ moduleId });
      return (module?.versions ?? []).flatMap(({ version, files }) =>
        files.map(({ platform }) => `${version} ${platform}`),
      );
    };
    const bearer = ({ token }: { token: string }) => ({ authorization: `Bearer ${token}` });

    it('with chunks of any size are read at the returned URL, also in ranges', async () => {
      const workshop = await newWorkshop(fleet());
      const chunks = [1, 70_000, 0, 3].map((size) => Buffer.alloc(size, size % 251));
      const url = await uploadModule(workshop, {}, chunks);
      const whole = Buffer.concat(chunks);
      const response = await fetch(url, { headers: bearer(workshop) });
      assert.equal(response.status, 200);
      assert.equal(response.headers.get('content-type'), 'application/x-gzip');
      assert.match(
        response.headers.get('content-disposition') ?? '',
        /''wheels-1\.0\.0-linux-amd64\.tar\.gz$/,
      );
      const hash = createHash('sha256').update(whole).digest('hex');
      assert.equal(response.headers.get('etag'), `"${hash}"`);
      assert.deepEqual(Buffer.from(await response.arrayBuffer()), whole);
      const range = { ...bearer(workshop), range: 'bytes=70000-' };
      const part = await fetch(url, { headers: range });
      assert.equal(part.status, 206);
      assert.equal(part.headers.get('content-range'), `bytes 70000-70003/70004`);
      assert.deepEqual(Buffer.from(await part.arrayBuffer()), whole.subarray(70_000));
    });

    it('are listed by version and platform, with the newest version last', async () => {
      const workshop = await newWorkshop(fleet());
      const { app, moduleId, organizationId } = workshop;
      for (const [version, platform] of [
        ...[
          ['1.10.0', 'linux/arm64'],
          ['1.9.0', 'linux/arm64'],
          ['1.10.0', 'darwin/any'],
        ],
        ...[
          ['1.10.0-rc.1', 'any'],
          ['2.0.0+a', 'linux/amd64'],
        ],
      ] as [string, string][]) {
        await uploadModule(workshop, { version, platform });
      }
      const expected = [
        ...['1.9.0 linux/arm64', '1.10.0-rc.1 any', '1.10.0 darwin/any', '1.10.0 linux/arm64'],
        '2.0.0+a linux/amd64',
      ];
      assert.deepEqual(await listVersions(workshop), expected);
      const { item } = await app.getRegistryItem({ itemId: moduleId });
      assert.ok(item?.metadata.case === 'moduleMetadata');
      assert.deepEqual(
        item.metadata.value.versions.map(({ version }) => version),
        ['1.9.0', '1.10.0-rc.1', '1.10.0', '2.0.0+a'],
      );
      assert.ok(item.metadata.value.versions[0]?.files[0]?.uploadedAt);
      const names = async (platforms: string[]) =>
        (await app.listRegistryItems({ organizationId, platforms })).items.map(({ name }) => name);
      assert.deepEqual(await names(['darwin/any']), ['wheels']);
      assert.deepEqual(await names(['windows/amd64']), ['wheels'], '1.10.0-rc.1 runs anywhere');
      const { modules } = await app.listModules({ organizationId });
      assert.equal(modules[0]?.versions.length, 4);
    });

    it("preserve the module's description from the time when the version was first uploaded", async () => {
      const workshop = await newWorkshop(fleet());
      const { app, moduleId } = workshop;
      const model = { api: 'rdk:component:base', model: 'acme:wheels:one' };
      const description = { moduleId, firstRun: 'setup.sh', markdownDescription: '# One' };
      await app.updateModule({ ...description, entrypoint: 'bin/one', models: [model] });
      await uploadModule(workshop, { version: '1.0.0' });
      await app.updateModule({ moduleId, entrypoint: 'bin/two' });
      await uploadModule(workshop, { version: '1.0.0', platform: 'any' });
      await uploadModule(workshop, { version: '2.0.0' });
      const { module } = await app.getModule({ moduleId, includeMarkdownDocumentation: true });
      assert.equal(module?.entrypoint, 'bin/two');
      assert.deepEqual(
        module.versions.map(({ entrypoint, models, firstRun, markdownDescription }) => [
          entrypoint,
          models.length,
          firstRun,
          markdownDescription,
        ]),
        [
          ['bin/one', 1, 'setup.sh', '# One'],
          ['bin/two', 0, undefined, undefined],
        ],
      );
    });

    it('that break a rule report which one, and leave nothing', async () => {
      const workshop = await newWorkshop(fleet());
      for (const version of [
        ...['', 'v1.0.0', '1.0', '1.0.0.0', '01.0.0', 'latest', '1.0.0-', '1.0.0\n', '../1.0.0'],
        `1.0.0-${'a'.repeat(100)}`,
      ]) {
        await assertRejected(
          uploadModule(workshop, { version }),
          Code.InvalidArgument,
          /^version: must be a semantic version/,
        );
      }
      for (const platform of [
        ...[
          '',
          'linux',
          'linux-arm64',
          'Linux/arm64',
          'linux/x86_64',
          'beos/amd64',
          'linux/amd64 ',
        ],
        ...['any/any', '../linux/arm64', 'linux/arm64\nany'],
      ]) {
        await assertRejected(
          uploadModule(workshop, { platform }),
          Code.InvalidArgument,
          /^platform: must be any, or an operating system/,
        );
      }
      const platformTags = ['x'.repeat(2000)];
      await assertRejected(
        uploadModule(workshop, { platformTags }),
        Code.InvalidArgument,
        /^platf/,
      );
      await assertRejected(uploadModule(workshop, {}, []), Code.InvalidArgument, /empty/);
      await assertRejected(
        uploadModule(workshop, {}, [Buffer.of()]),
        Code.InvalidArgument,
        /empty/,
      );
      for (const moduleId of ['wheels', ':wheels', `${workshop.organizationId}/wheels`]) {
        await assertRejected(
          uploadModule(workshop, { moduleId }),
          Code.InvalidArgument,
          /^module_id: /,
        );
      }
      const moduleId = `${workshop.organizationId}:absent`;
      await assertRejected(uploadModule(workshop, { moduleId }), Code.NotFound, /^module /);
      assert.deepEqual(await listVersions(workshop), []);
    });

    it('of versions that differ only in build metadata are rejected, as are tags with spaces', async () => {
      const workshop = await newWorkshop(fleet());
      await uploadModule(workshop, { version: '1.0.0+a' });
      await uploadModule(workshop, { version: '1.0.0+a', platform: 'linux/arm64' });
      for (const version of ['1.0.0', '1.0.0+b']) {
        await assertRejected(
          uploadModule(workshop, { version, platform: 'any' }),
          Code.InvalidArgument,
          /only in build metadata/,
        );
      }
      await assertRejected(
        uploadModule(workshop, { version: '1.0.1', platformTags: ['a b'] }),
        Code.InvalidArgument,
        /or contain spaces/,
      );
      await uploadModule(workshop, { version: '1.0.1+b', platformTags: ['distro:debian'] });
      assert.equal((await listVersions(workshop)).length, 3);
    });

    it('leave nothing if their stream is incomplete', async () => {
      const workshop = await newWorkshop(fleet());
      const { app, moduleId } = workshop;
      const info = {
        moduleFile: {
          case: 'moduleFileInfo' as const,
          value: { moduleId, version: '1.0.0', platform: 'any' },
        },
      };
      const file = { moduleFile: { case: 'file' as const, value: Buffer.from('x') } };
      const stream = (...messages: (typeof info | typeof file | object)[]) =>
        app.uploadModuleFile(
          (async function* () {
            yield* await Promise.resolve(messages);
          })(),
        );
      const first = /first message .* module_file_info/;
      await assertRejected(stream(), Code.InvalidArgument, first);
      await assertRejected(stream({}), Code.InvalidArgument, first);
      await assertRejected(stream(file, info), Code.InvalidArgument, first);
      await assertRejected(stream(info, file, info), Code.InvalidArgument, first);
      async function* cut() {
        yield await Promise.resolve(Buffer.alloc(100_000));
        throw new Error('the client disconnects');
      }
      await assert.rejects(uploadModule(workshop, {}, cut()));
      assert.deepEqual(await listVersions(workshop), []);
    });

    it('succeed once for a version and platform, even if two run at the same time', async () => {
      const workshop = await newWorkshop(fleet());
      const answers = await Promise.allSettled(
        Array.from({ length: 4 }, (_, index) =>
          uploadModule(workshop, {}, [Buffer.alloc(50_000, index)]),
        ),
      );
      const won = answers.filter(({ status }) => status === 'fulfilled');
      assert.equal(won.length, 1);
      for (const answer of answers.filter(({ status }) => status === 'rejected')) {
        const error = ConnectError.from((answer as PromiseRejectedResult).reason);
        assert.equal(error.code, Code.AlreadyExists);
        assert.match(error.rawMessage, /1\.0\.0 of .* is uploaded for linux\/amd64 already/);
      }
      await assertRejected(uploadModule(workshop), Code.AlreadyExists);
      assert.deepEqual(await listVersions(workshop), ['1.0.0 linux/amd64']);
      const url = await uploadModule(workshop, { platform: 'any' });
      assert.ok(url);
    });

    it('are read by members and machines of the organization, and by everyone while it is public', async () => {
      const workshop = await newWorkshop(fleet());
      const { organizationId, moduleId, app } = workshop;
      const url = await uploadModule(workshop);
      const { part, machineId } = await newMachine(app, organizationId);
      const accessToken = await signInAsPart(fleet().deployment, part);
      const readers = {
        owner: workshop,
        operator: await registryClientsWithRole(fleet(), 'organization_operator', organizationId),
        machine: createRegistryClients(fleet(), accessToken),
        driver: await registryClientsWithRole(fleet(), 'robot_owner', machineId),
        stranger: await newWorkshop(fleet()),
      };
      const statuses = async (): Promise<Record<string, number>> => {
        const read = await Promise.all(
          Object.entries(readers).map(async ([name, reader]) => {
            const { status } = await fetch(url, { method: 'HEAD', headers: bearer(reader) });
            return [name, status] as const;
          }),
        );
        return Object.fromEntries(read);
      };
      const all = { owner: 200, operator: 200, machine: 200, driver: 200, stranger: 200 };
      assert.deepEqual(await statuses(), { ...all, driver: 404, stranger: 404 });
      assert.equal((await fetch(url)).status, 401);
      assert.equal((await fetch(`${url}x`, { headers: bearer(workshop) })).status, 404);
      await assertRejected(
        uploadModule({ ...readers.operator, moduleId }, { version: '2.0.0' }),
        Code.PermissionDenied,
      );
      await assertRejected(uploadModule({ ...readers.stranger, moduleId }), Code.NotFound);
      await app.updateModule({ moduleId, entrypoint: 'x', visibility: Visibility.PUBLIC });
      assert.deepEqual(await statuses(), all);
      await assertRejected(
        uploadModule({ ...readers.stranger, moduleId }, { version: '2.0.0' }),
        Code.PermissionDenied,
      );
    });

    it('are deleted with the item, and the name can be used again', async () => {
      const workshop = await newWorkshop(fleet());
      const { app, organizationId, moduleId } = workshop;
      const url = await uploadModule(workshop);
      await app.deleteRegistryItem({ itemId: moduleId });
      assert.equal((await fetch(url, { headers: bearer(workshop) })).status, 404);
      await app.createModule({ organizationId, name: 'wheels' });
      assert.deepEqual(await listVersions(workshop), []);
      await uploadModule(workshop);
    });
  });
}
