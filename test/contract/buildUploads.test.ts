import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { DiskBuilds } from '../../src/archives/diskBuilds';
import { grpcOpener } from '../../src/core/api/grpcOpener';
import { toConnectionId } from '../../src/core/model/connection';
import { organizationId } from '../../src/core/model/ids';
import type { RegistryItem } from '../../src/core/model/registryItem';
import { parseManifest } from '../../src/core/modules/manifest/parseManifest';
import type { Platform } from '../../src/core/modules/platforms';
import { createModuleUpdate } from '../../src/core/modules/moduleUpdate';
import {
  isRegistered,
  type PlatformBuild,
  uploadBuilds,
  type VersionUploadResult,
} from '../../src/core/modules/upload/uploadBuilds';
import { prepareBuild } from '../../src/core/modules/upload/preparedBuild';
import { englishLocalizer } from '../../src/base/localizer';
import { FleetSession } from '../../src/core/sessions/fleetSession';
import type { RegistryStore } from '../../src/core/stores/registryStore';
import { CuttingProxy } from '../support/cuttingProxy';
import { type HttpFleet, openHttpFleet } from '../support/httpFleet';
import { silentLogger } from '../support/silentLogger';
import { elfProgram, TestFolder } from '../support/archives';

const MEBIBYTE = 1024 * 1024;
const AMD64 = 62;
const TIMEOUT_MS = 120_000;

describe('builds uploaded from disk to the registry', function () {
  this.timeout(TIMEOUT_MS);
  const builds = new DiskBuilds(englishLocalizer);
  let fleet: HttpFleet;
  let registry: RegistryStore;
  let item: RegistryItem;
  let folder: TestFolder;
  let serial = 0;

  before(async () => {
    fleet = await openHttpFleet();
    ({ registry } = fleet.session.stores);
  });
  after(() => fleet.close());

  beforeEach(async () => {
    serial += 1;
    const name = `module-${String(serial)}`;
    const { id } = await registry.createModule(organizationId(fleet.organizationId), name);
    item = await registry.get(id);
    folder = new TestFolder();
    folder.program('dist/main', elfProgram(AMD64));
    folder.file('data.bin', randomBytes(3 * MEBIBYTE));
  });
  afterEach(() => folder[Symbol.dispose]());

  const buildFor = (platform: Platform, read?: PlatformBuild['read']): PlatformBuild => ({
    platform,
    read: read ?? ((signal) => builds.read(folder.path, {}, { signal })),
  });
  const upload = (
    all: readonly PlatformBuild[],
    options: { readonly to?: RegistryStore; readonly signal?: AbortSignal } = {},
  ): Promise<VersionUploadResult> =>
    uploadBuilds(
      options.to ?? registry,
      { item, version: '1.0.0', builds: all, update: undefined },
      { signal: options.signal ?? new AbortController().signal },
    );
  const sessionAt = (baseUrl: string): FleetSession =>
    new FleetSession(
      {
        id: toConnectionId(fleet.key.id),
        label: 'Test',
        baseUrl,
        keyId: fleet.key.id,
        kind: 'cloud',
      },
      grpcOpener(silentLogger, () => []),
      () => Promise.resolve(fleet.key),
    );
  const platformsThere = async (): Promise<readonly string[]> => {
    const { versions } = await registry.get(item.id, { fresh: true });
    return versions.flatMap(({ files }) => files.map(({ platform }) => platform)).sort();
  };

  it('are stored as packed, one for each platform', async () => {
    const { uploaded, failed } = await upload([buildFor('linux/amd64'), buildFor('linux/arm64')]);
    assert.deepEqual([uploaded, failed], [['linux/amd64', 'linux/arm64'], undefined]);
    assert.deepEqual(await platformsThere(), ['linux/amd64', 'linux/arm64']);
    const stored = await registry.package(item, '1.0.0', 'linux/amd64');
    const chunks: Uint8Array[] = [];
    for await (const chunk of (await registry.content(stored)).chunks) chunks.push(chunk);
    const archive = Buffer.concat(chunks);
    assert.equal(createHash('sha256').update(archive).digest('hex'), stored.checksum);
    const data = readFileSync(`${folder.path}/data.bin`);
    assert.ok(gunzipSync(archive).includes(data));
  });

  it('update the module from its manifest, and preserve its visibility', async () => {
    const { manifest } = parseManifest(
      JSON.stringify({
        module_id: item.id,
        visibility: 'private',
        description: 'new',
        entrypoint: 'dist/main',
        models: [],
        build: {},
      }),
    );
    assert.ok(manifest);
    const readSibling = (): Promise<string> => Promise.resolve('');
    const deps = { readSibling, l10n: englishLocalizer };
    const update = (current: RegistryItem) => createModuleUpdate(manifest, current, deps);
    // Simulates a change in another window after the upload in this window was prepared with the
    // previous state of the module.
    await registry.updateModule(item, {
      visibility: 'public',
      url: 'https://example.com/',
      description: 'old',
      models: [],
      entrypoint: 'old',
    });
    assert.equal(item.visibility, 'private');
    await uploadBuilds(
      registry,
      { item, version: '1.0.0', builds: [buildFor('any')], update },
      { signal: new AbortController().signal },
    );
    const { visibility, description, url, entrypoint } = await registry.get(item.id);
    assert.deepEqual(
      { visibility, description, url, entrypoint },
      {
        visibility: 'public',
        description: 'new',
        url: 'https://example.com/',
        entrypoint: 'dist/main',
      },
    );
  });

  it('leave nothing when they are canceled', async () => {
    const stop = new AbortController();
    async function* half(signal: AbortSignal): AsyncGenerator<Uint8Array> {
      yield await Promise.resolve(randomBytes(MEBIBYTE));
      stop.abort();
      signal.throwIfAborted();
    }
    const { uploaded, failed } = await upload([buildFor('any', half)], { signal: stop.signal });
    assert.deepEqual([uploaded, failed?.error.kind], [[], 'canceled']);
    assert.equal(failed?.rest[0]?.wasCut, true, 'only the registry knows what it has of it');
    assert.deepEqual(await platformsThere(), []);
  });

  it('are looked up after an upload without a response', async () => {
    const { signal } = new AbortController();
    const find = (platform: Platform, of = registry): Promise<boolean | undefined> =>
      isRegistered(of, item, { version: '1.0.0', platform }, signal);
    assert.equal(await find('linux/amd64'), false);
    await upload([buildFor('linux/amd64')]);
    assert.deepEqual([await find('linux/amd64'), await find('linux/arm64')], [true, false]);
    const leaving = sessionAt(fleet.url);
    leaving.dispose();
    assert.equal(await find('linux/amd64', leaving.stores.registry), undefined);
  });

  it('leave nothing when they cannot be read completely, and report why', async () => {
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield await Promise.resolve(randomBytes(2 * MEBIBYTE));
      throw new Error('the disk failed');
    }
    const { failed } = await upload([buildFor('linux/amd64', broken), buildFor('linux/arm64')]);
    assert.equal(failed?.error.message, 'the disk failed');
    assert.deepEqual(
      failed.rest.map(({ platform }) => platform),
      ['linux/amd64', 'linux/arm64'],
    );
    assert.deepEqual(await platformsThere(), []);
  });

  it('are rejected if another user has uploaded the version since it was selected', async () => {
    const { signal } = new AbortController();
    const known = item.versions;
    const [of, update] = [{ item, version: '1.0.0' }, undefined];
    await upload([buildFor('linux/amd64')]);
    const chosen = uploadBuilds(
      registry,
      { ...of, builds: [buildFor('linux/arm64')], update, known },
      { signal },
    );
    await assert.rejects(chosen, {
      kind: 'conflict',
      message: /created .* for linux\/amd64 .*in the meantime/,
    });
    assert.deepEqual(await platformsThere(), ['linux/amd64']);
    const { versions } = await registry.get(item.id, { fresh: true });
    const joined = await uploadBuilds(
      registry,
      { ...of, builds: [buildFor('linux/arm64')], update, known: versions },
      { signal },
    );
    assert.deepEqual(joined.uploaded, ['linux/arm64'], 'that version was chosen on purpose');
  });

  it('leave nothing if they were replaced after they were inspected', async () => {
    const { signal } = new AbortController();
    const { fingerprint } = await builds.inspect(folder.path, {}, { signal });
    folder.program('dist/main', elfProgram(183));
    const read = (reading: AbortSignal) =>
      builds.read(folder.path, {}, { signal: reading, fingerprint });
    const { failed } = await upload([buildFor('linux/amd64', read)]);
    assert.deepEqual(failed?.error.kind, 'conflict');
    assert.match(failed.error.message, /changed after it was checked/);
    assert.deepEqual(await platformsThere(), []);
  });

  it('are rejected if the version and platform already exist', async () => {
    await upload([buildFor('linux/amd64')]);
    const { failed } = await upload([buildFor('linux/amd64')]);
    assert.match(failed?.error.message ?? '', /1\.0\.0 of .* is uploaded for linux\/amd64 already/);
  });

  describe('over an interrupted connection', () => {
    let proxy: CuttingProxy;
    let session: FleetSession;

    beforeEach(async () => {
      proxy = await CuttingProxy.to(fleet.url);
      session = sessionAt(proxy.url);
      await session.stores.registry.get(item.id);
    });
    afterEach(async () => {
      session.dispose();
      await proxy[Symbol.asyncDispose]();
    });

    it('leave nothing, and are stored completely when they are sent again', async () => {
      const to = session.stores.registry;
      proxy.cutAfter(MEBIBYTE);
      const { uploaded, failed } = await upload([buildFor('any')], { to });
      assert.deepEqual([uploaded, failed?.error.kind], [[], 'unavailable']);
      assert.deepEqual(await platformsThere(), []);
      const again = await upload(failed?.rest ?? [], { to });
      assert.deepEqual([again.uploaded, again.failed], [['any'], undefined]);
      assert.deepEqual(await platformsThere(), ['any']);
    });

    it('are recognized when they were stored and only the response was lost', async () => {
      const to = session.stores.registry;
      proxy.dropResponseAfter(3 * MEBIBYTE);
      const { uploaded, failed } = await upload([buildFor('any')], { to });
      assert.deepEqual([uploaded, failed?.error.kind], [[], 'unavailable']);
      assert.deepEqual(await platformsThere(), ['any']);
      const changedParents: string[] = [];
      to.onDidChange(({ parents }) => changedParents.push(...parents));
      const again = await upload(failed?.rest ?? [], { to });
      assert.deepEqual([again.uploaded, again.failed], [['any'], undefined]);
      assert.deepEqual(changedParents, [fleet.organizationId], 'lists show it from then on');
    });

    it('are not confused with a build that another user uploaded in between', async () => {
      const to = session.stores.registry;
      proxy.cutAfter(MEBIBYTE);
      const { failed } = await upload([buildFor('any')], { to });
      async function* other(): AsyncGenerator<Uint8Array> {
        yield await Promise.resolve(randomBytes(10));
      }
      await upload([buildFor('any', other)]);
      const again = await upload(failed?.rest ?? [], { to });
      assert.deepEqual(again.uploaded, []);
      assert.match(again.failed?.error.message ?? '', /already/);
    });
  });

  describe('with problems', () => {
    const createManifest = (entrypoint: string) =>
      parseManifest(JSON.stringify({ module_id: item.id, entrypoint })).manifest;
    const findCodes = async (entrypoint = 'dist/main'): Promise<readonly string[]> => {
      const { signal } = new AbortController();
      const prepared = await prepareBuild(
        builds,
        { path: folder.path },
        createManifest(entrypoint),
        {
          signal,
        },
      );
      return prepared.diagnostics.map(({ code }) => code);
    };

    it('are reported before anything is sent', async () => {
      assert.deepEqual(await findCodes(), []);
      folder.link('away', '../../etc/passwd');
      folder.link('loop', 'loop');
      folder.file('two\nlines');
      assert.deepEqual(await findCodes(), ['controlCharacters', 'linkOutside', 'linkLoop']);
      assert.deepEqual(await platformsThere(), []);
    });

    it('never have their entrypoint run by a shell', async () => {
      const entrypoint = 'dist/main; touch /tmp/fleetwright-was-here';
      assert.deepEqual(await findCodes(entrypoint), ['fileMissing']);
      folder.program('$(reboot)');
      assert.deepEqual(await findCodes('$(reboot)'), []);
    });
  });

  it('of training scripts create their registry item, and reject an invalid version', async () => {
    folder.file('model/training.py', 'print("learn")\n');
    const organization = organizationId(fleet.organizationId);
    const script = {
      organization,
      name: `script-${String(serial)}`,
      type: 'trainingScript' as const,
      metadata: { model_type: 'object_detection', model_framework: 'pytorch' },
      read: (signal: AbortSignal) => builds.read(folder.path, {}, { signal }),
    } as const;
    const { version } = await registry.uploadPackage({ ...script, version: '0.1.0' });
    assert.equal(version, '0.1.0');
    const made = (await registry.list(organization, { fresh: true })).find(
      ({ name }) => name === script.name,
    );
    assert.equal(made?.type, 'trainingScript');
    assert.deepEqual(made.modelKind, { task: 'objectDetection', framework: 'pytorch' });
    await assert.rejects(registry.uploadPackage({ ...script, version: '../x' }), {
      kind: 'invalid',
    });
  });
});
