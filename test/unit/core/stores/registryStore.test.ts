import assert from 'node:assert/strict';
import { FleetError } from '../../../../src/core/api/errors';
import {
  type OrganizationId,
  organizationId,
  registryItemId,
} from '../../../../src/core/model/ids';
import type { RegistryItem } from '../../../../src/core/model/registryItem';
import type { ModuleUpdate } from '../../../../src/core/stores/registryRequests';
import type { RegistryChange, RegistryStore } from '../../../../src/core/stores/registryStore';
import { keyWithRoles } from '../../../support/keyWithRoles';
import { type MemoryFleet, openMemoryFleet } from '../../../support/memoryFleet';
import { TestSessions } from '../../../support/testSessions';

const DESCRIBED: ModuleUpdate = {
  visibility: 'public',
  url: 'https://example.com/wheels',
  description: 'Drives wheels',
  models: [
    { api: 'rdk:component:base', model: 'acme:wheels:fast', description: 'Two', markdown: '# Two' },
  ],
  entrypoint: 'dist/main',
  firstRun: 'setup.sh',
  apps: [{ name: 'panel', type: 'single_machine', entrypoint: 'index.html' }],
  markdown: '# Wheels',
};

function ofKind(kind: string): (error: unknown) => boolean {
  return (error) => error instanceof FleetError && error.kind === kind;
}

async function* bytes(...lengths: readonly number[]): AsyncGenerator<Uint8Array> {
  for (const length of lengths) yield await Promise.resolve(new Uint8Array(length).fill(length));
}

describe('RegistryStore', () => {
  let fleet: MemoryFleet;
  let sessions: TestSessions;
  let registry: RegistryStore;
  let organization: OrganizationId;
  let changes: RegistryChange[];

  beforeEach(async () => {
    fleet = await openMemoryFleet();
    sessions = new TestSessions(fleet);
    organization = organizationId(fleet.organizationId);
    ({ registry } = sessions.stores());
    changes = [];
    registry.onDidChange((change) => changes.push(change));
  });

  afterEach(async () => {
    sessions.dispose();
    await fleet.close();
  });

  async function only(): Promise<RegistryItem> {
    const [item, ...others] = await registry.list(organization);
    assert.deepEqual(others, []);
    return item ?? assert.fail('nothing is listed');
  }

  const toKey = (id: RegistryItem['id']) => ({ id, organizationId: organization });

  const upload = (id: RegistryItem['id'], version: string, platform: string) =>
    registry.uploadModule({ ...toKey(id), version, platform, read: () => bytes(10, 20) });

  it('registers a module, updates all fields, and reads them back', async () => {
    const { id, url } = await registry.createModule(organization, 'wheels');
    assert.match(url, /\/module\/.+\/wheels$/);
    assert.deepEqual((await only()).status, 'inDevelopment');
    await registry.updateModule(toKey(id), DESCRIBED);
    const item = await registry.get(id);
    const { visibility, description, models, entrypoint, firstRun, markdown } = item;
    assert.deepEqual(
      { visibility, url: item.url, description, entrypoint, firstRun, markdown },
      {
        visibility: 'public',
        url: 'https://example.com/wheels',
        description: 'Drives wheels',
        entrypoint: 'dist/main',
        firstRun: 'setup.sh',
        markdown: '# Wheels',
      },
    );
    assert.deepEqual(
      models.map((one) => [one.api, one.model, one.description, one.markdown]),
      [['rdk:component:base', 'acme:wheels:fast', 'Two', '# Two']],
    );
    assert.deepEqual(
      item.apps?.map(({ name }) => name),
      ['panel'],
    );
    assert.equal((await only()).status, 'published');
  });

  it('reads a list once, and again after each change of an item', async () => {
    const { id } = await registry.createModule(organization, 'wheels');
    await registry.list(organization);
    fleet.calls.clear();
    await registry.list(organization);
    assert.equal(fleet.calls.get('ListRegistryItems'), undefined);
    changes.length = 0;
    await registry.updateModule(toKey(id), DESCRIBED);
    await upload(id, '1.0.0', 'linux/amd64');
    assert.deepEqual(
      changes.map(({ ids, parents }) => [...ids, ...parents]),
      [
        [id, organization],
        [id, organization],
      ],
    );
    assert.deepEqual(
      (await only()).versions.map(({ version }) => version),
      ['1.0.0'],
    );
    changes.length = 0;
    await upload(id, '1.0.1', 'linux/amd64');
    assert.deepEqual(
      changes.map(({ parents }) => parents),
      [[organization]],
    );
  });

  it('does not cache a list from before an upload, or one older than the item', async () => {
    const names = async (): Promise<readonly string[]> =>
      (await only()).versions.map(({ version }) => version);
    assert.deepEqual(await registry.list(organization), []);
    const elsewhere = new TestSessions(fleet);
    const { id } = await elsewhere.stores().registry.createModule(organization, 'wheels');
    elsewhere.dispose();
    await upload(id, '1.0.0', 'linux/amd64');
    const older = registry.list(organization);
    await upload(id, '1.0.1', 'linux/amd64');
    await older;
    assert.deepEqual(await names(), ['1.0.1', '1.0.0']);
  });

  it('notifies listeners of a failed upload, which the service could have stored', async () => {
    const { id } = await registry.createModule(organization, 'wheels');
    await upload(id, '1.0.0', 'any');
    changes.length = 0;
    await assert.rejects(upload(id, '1.0.0', 'any'));
    assert.deepEqual(
      changes.map(({ parents }) => parents),
      [[organization]],
    );
  });

  it('finds an item by the ID with its organization, too', async () => {
    const { id } = await registry.createModule(organization, 'wheels');
    await registry.list(organization);
    changes.length = 0;
    await registry.updateModule(toKey(registryItemId(`${organization}:wheels`)), DESCRIBED);
    assert.deepEqual(
      changes.map(({ parents }) => parents),
      [[organization]],
    );
    assert.equal((await registry.get(id)).description, 'Drives wheels');
  });

  it('changes only the visibility of a module', async () => {
    const { id } = await registry.createModule(organization, 'wheels');
    await registry.updateModule(toKey(id), DESCRIBED);
    const before = await registry.get(id);
    await registry.updateItem(before, { visibility: 'private' });
    const after = await registry.get(id);
    const { updatedAt } = after;
    assert.deepEqual(after, { ...before, visibility: 'private', updatedAt });
  });

  it('changes one field, and preserves the recent change of another window', async () => {
    const { id } = await registry.createModule(organization, 'wheels');
    const shown = await registry.get(id);
    assert.equal(shown.visibility, 'private');
    const elsewhere = new TestSessions(fleet);
    await elsewhere.stores().registry.updateModule(toKey(id), DESCRIBED);
    await registry.updateItem(shown, { description: 'Turns wheels' });
    elsewhere.dispose();
    const { visibility, description, url, entrypoint } = await registry.get(id);
    assert.deepEqual(
      [visibility, description, url, entrypoint],
      ['public', 'Turns wheels', DESCRIBED.url, DESCRIBED.entrypoint],
    );
  });

  it('preserves the draft state of a training script', async () => {
    await registry.uploadPackage({
      organization,
      name: 'train',
      version: '1',
      type: 'trainingScript',
      metadata: { draft: true, model_type: 'object_detection', model_framework: 'tflite' },
      read: () => bytes(5),
    });
    const draft = await only();
    assert.deepEqual([draft.status, draft.isDraft], ['inDevelopment', true]);
    assert.deepEqual(draft.modelKind, { task: 'objectDetection', framework: 'tflite' });
    await registry.updateItem(draft, { description: 'Not yet' });
    const { status, isDraft, description, modelKind } = await only();
    assert.deepEqual(
      [status, isDraft, description, modelKind],
      ['inDevelopment', true, 'Not yet', draft.modelKind],
    );
    await registry.updateItem(draft, { isDraft: false });
    assert.equal((await only()).status, 'published');
  });

  it('sorts versions by their names, newest first', async () => {
    const { id } = await registry.createModule(organization, 'wheels');
    for (const version of ['1.10.0', '1.9.0', '2.0.0-rc.1', '1.10.1']) {
      await upload(id, version, 'linux/amd64');
    }
    await upload(id, '1.9.0', 'linux/arm64');
    const { versions } = await registry.get(id);
    assert.deepEqual(
      versions.map(({ version, files }) => [version, files.map(({ platform }) => platform).sort()]),
      [
        ['2.0.0-rc.1', ['linux/amd64']],
        ['1.10.1', ['linux/amd64']],
        ['1.10.0', ['linux/amd64']],
        ['1.9.0', ['linux/amd64', 'linux/arm64']],
      ],
    );
    await assert.rejects(upload(id, '1.9.0', 'linux/arm64'), ofKind('invalid'));
  });

  it('lists the archives of a version with size, checksum, and URL', async () => {
    const { id } = await registry.createModule(organization, 'wheels');
    const { url } = await upload(id, '1.0.0', 'linux/arm64');
    const [file, ...others] = await registry.packages(organization, { name: 'wheels' });
    assert.deepEqual(others, []);
    assert.deepEqual(
      [file?.version, file?.platform, file?.sizeBytes, file?.url, file?.type],
      ['1.0.0', 'linux/arm64', 30, url, 'module'],
    );
    assert.match(file?.checksum ?? '', /^[0-9a-f]{64}$/);
    const item = await registry.get(id);
    assert.equal((await registry.package(item, '1.0.0', 'linux/arm64')).url, url);
  });

  it('registers nothing if the content cannot be read, and reports why', async () => {
    const { id } = await registry.createModule(organization, 'wheels');
    const failure = new FleetError('unavailable', 'The disk has gone.');
    const read = async function* () {
      yield* bytes(1);
      throw failure;
    };
    const sent: number[] = [];
    await assert.rejects(
      registry.uploadModule(
        { ...toKey(id), version: '1.0.0', platform: 'any', read },
        { onSent: (count) => sent.push(count) },
      ),
      failure,
    );
    assert.deepEqual((await registry.get(id)).versions, []);
  });

  it('deletes a version, then the item, and rejects those that a config names', async () => {
    const { id } = await registry.createModule(organization, 'wheels');
    await upload(id, '1.0.0', 'any');
    await upload(id, '1.1.0', 'any');
    const config = JSON.stringify({
      modules: [{ type: 'registry', name: 'w', module_id: id, version: '1.0.0' }],
    });
    const { fragments } = sessions.stores();
    const fragment = await fragments.create(organization, 'drive', config);
    const item = await registry.get(id);
    await assert.rejects(registry.deleteVersion(item, '1.0.0'), (error) => {
      return ofKind('conflict')(error) && (error as Error).message.includes('fragment "drive"');
    });
    await assert.rejects(registry.delete(item), ofKind('conflict'));
    await registry.deleteVersion(item, '1.1.0');
    assert.deepEqual(
      (await only()).versions.map(({ version }) => version),
      ['1.0.0'],
    );
    await fragments.delete(fragment);
    changes.length = 0;
    await registry.delete(item);
    assert.deepEqual(
      changes.map(({ removed }) => removed),
      [[id]],
    );
    assert.deepEqual(await registry.list(organization), []);
  });

  it('reads again after another client deleted an item', async () => {
    const { id } = await registry.createModule(organization, 'wheels');
    const item = await only();
    const elsewhere = new TestSessions(fleet);
    await elsewhere.stores().registry.delete(item);
    elsewhere.dispose();
    changes.length = 0;
    await assert.rejects(registry.delete(item), ofKind('notFound'));
    assert.deepEqual(
      changes.map(({ parents }) => parents),
      [[organization]],
    );
    await assert.rejects(registry.get(id), ofKind('notFound'));
  });

  it('finds public items of others by words, types, and platforms, page by page', async () => {
    for (const name of ['arms', 'wheels']) {
      const { id } = await registry.createModule(organization, name);
      await registry.updateModule(toKey(id), { ...DESCRIBED, apps: [], description: name });
      await upload(id, '1.0.0', name === 'arms' ? 'linux/arm64' : 'linux/amd64');
    }
    await registry.createItem(organization, 'detector', 'mlModel');
    const hall = await sessions.stores().locations.create(organization, 'Hall', undefined);
    // A user with such a key can't read the organization's private items.
    const visitor = new TestSessions(await keyWithRoles(fleet, ['operator', 'location', hall.id]));
    const { registry: seen } = visitor.stores();
    const names = async (query: Parameters<RegistryStore['search']>[0]) =>
      (await seen.search(query)).items.map(({ name }) => name);
    assert.deepEqual(await names({}), ['arms', 'wheels']);
    assert.deepEqual(await names({ searchText: ' ARMS base ' }), ['arms']);
    assert.deepEqual(await names({ platforms: ['linux/arm64'] }), ['arms']);
    assert.deepEqual(await names({ types: ['mlModel'] }), []);
    const first = await seen.search({ searchText: 'arms' });
    assert.deepEqual(await names({ after: first.next }), ['wheels']);
    visitor.dispose();
  });

  it('reads all pages of a search, even if the service starts over', async () => {
    const names = ['a', 'b', 'c', 'd', 'e'].map((letter) => `module-${letter}`);
    for (const name of names) await registry.createModule(organization, name);
    const search = registry.search.bind(registry);
    let calls = 0;
    const listAll = async (startsOver: boolean): Promise<string[]> => {
      calls = 0;
      // Services with many items have pages, which the embedded service doesn't need.
      registry.search = async ({ after, ...query }) => {
        calls += 1;
        const isRepeated = startsOver && calls > 2;
        const { items } = await search(isRepeated || !after ? query : { ...query, after });
        const page = items.slice(0, 2);
        return { items: page, next: page.at(-1)?.id };
      };
      return (await registry.searchAll({})).map(({ name }) => name);
    };
    assert.deepEqual(await listAll(false), names);
    assert.deepEqual(await listAll(true), names.slice(0, 4));
    assert.equal(calls, 3);
  });

  it('lists published items under new IDs after an organization gets a namespace', async () => {
    await registry.createModule(organization, 'wheels');
    await registry.list(organization);
    changes.length = 0;
    await sessions.stores().organizations.update(organization, { publicNamespace: 'acme' });
    assert.deepEqual(
      changes.flatMap(({ parents }) => parents),
      [organization],
    );
    assert.equal((await only()).id, 'acme:wheels');
  });
});
