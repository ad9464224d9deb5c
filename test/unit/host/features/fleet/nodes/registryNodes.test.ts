import assert from 'node:assert/strict';
import { type OrganizationId, organizationId } from '../../../../../../src/core/model/ids';
import type { RegistryItemTarget } from '../../../../../../src/core/model/resourceTarget';
import { WHOLE_REGISTRY } from '../../../../../../src/core/model/registryItem';
import type { ModuleUpdate } from '../../../../../../src/core/stores/registryRequests';
import type { RegistryStore } from '../../../../../../src/core/stores/registryStore';
import { PLAIN } from '../../../../../../src/host/features/fleet/arrangement';
import { FleetTree } from '../../../../../../src/host/features/fleet/fleetTree';
import type { FleetNode } from '../../../../../../src/host/features/fleet/nodes/fleetNode';
import { keyWithRoles } from '../../../../../support/keyWithRoles';
import { type MemoryFleet, openMemoryFleet } from '../../../../../support/memoryFleet';
import { TestSessions } from '../../../../../support/testSessions';

const PAGE_SIZE = 3;
const FOLDERS: readonly FleetNode['kind'][] = ['modules', 'otherItems'];
const DESCRIBED: ModuleUpdate = {
  visibility: 'public',
  url: '',
  description: 'Drives wheels',
  models: [
    { api: 'rdk:component:base', model: 'acme:wheels:fast', description: '', markdown: undefined },
  ],
  entrypoint: 'main',
};

/** Formats registry items, their contents, and their placeholders as lines of a golden tree. */
function line(node: FleetNode): string {
  switch (node.kind) {
    case 'registryItem':
      return `${node.target.name} [${node.contextValue}]`;
    case 'registryVersion':
      return `${node.version.version} [${node.contextValue}]`;
    case 'registryFile':
      return `${node.file.platform} ${node.file.sizeBytes ?? '?'} [${node.contextValue}]`;
    case 'moduleModel':
      return `${node.model.model} is ${node.model.api}`;
    case 'hint':
      return `${node.hint}${node.canCreate ? ', with a command' : ''}`;
    case 'loadMore':
      return `load more (${node.shown} of ${node.total})`;
    default:
      return node.kind;
  }
}

async function* archive(length: number): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(new Uint8Array(length));
}

describe('registry items in the fleet tree', () => {
  let fleet: MemoryFleet;
  let owner: TestSessions;
  let registry: RegistryStore;
  let tree: FleetTree;
  let organization: OrganizationId;
  const opened: { dispose(): void }[] = [];

  beforeEach(async () => {
    fleet = await openMemoryFleet();
    organization = organizationId(fleet.organizationId);
    owner = new TestSessions(fleet);
    ({ registry } = owner.stores());
    tree = createTree(owner);
  });

  afterEach(async () => {
    for (const one of opened.splice(0).reverse()) one.dispose();
    await fleet.close();
  });

  function createTree(sessions: TestSessions): FleetTree {
    const made = new FleetTree(sessions, fleet.clock, PAGE_SIZE);
    opened.push(sessions, made);
    return made;
  }

  /** Draws the registry's folders with everything below them. */
  async function draw(of = tree): Promise<readonly string[]> {
    const [top] = await of.listChildren();
    const children = top ? await of.listChildren(top) : [];
    const lines = children
      .filter(({ kind }) => FOLDERS.includes(kind))
      .map(async (folder) => [line(folder), ...(await below(of, folder, '  '))]);
    return (await Promise.all(lines)).flat();
  }

  async function below(of: FleetTree, node: FleetNode, indent: string): Promise<string[]> {
    const lines: string[] = [];
    for (const child of await of.listChildren(node)) {
      lines.push(indent + line(child), ...(await below(of, child, `${indent}  `)));
    }
    return lines;
  }

  async function publish(name: string, update: Partial<ModuleUpdate> = {}) {
    const { id } = await registry.createModule(organization, name);
    await registry.updateModule({ id, organizationId: organization }, { ...DESCRIBED, ...update });
    return id;
  }

  const upload = (id: Awaited<ReturnType<typeof publish>>, version: string, platform: string) =>
    registry.uploadModule({
      id,
      organizationId: organization,
      version,
      platform,
      read: () => archive(version.length),
    });

  const script = (name: string) =>
    registry.uploadPackage({
      organization,
      name,
      version: '1',
      type: 'trainingScript',
      metadata: { draft: true },
      read: () => archive(7),
    });

  it('offer to create modules to permitted users if there are none', async () => {
    assert.deepEqual(await draw(), [
      'modules',
      '  noModules, with a command',
      'otherItems',
      '  noOtherItems, with a command',
    ]);
    const reader = createTree(
      new TestSessions(await keyWithRoles(fleet, ['operator', 'organization', organization])),
    );
    assert.deepEqual(await draw(reader), [
      'modules',
      '  noModules',
      'otherItems',
      '  noOtherItems',
    ]);
  });

  it('show models, versions, and archives, newest first, separate from other items', async () => {
    const wheels = await publish('wheels');
    await upload(wheels, '1.9.0', 'linux/arm64');
    await upload(wheels, '1.10.0', 'linux/arm64');
    await upload(wheels, '1.10.0', 'linux/amd64');
    await registry.createModule(organization, 'arms');
    await script('train');
    assert.deepEqual(await draw(), [
      'modules',
      '  arms [administer;inDevelopment;module;private;registryItem]',
      '    noVersions',
      '  wheels [administer;module;public;registryItem;versioned]',
      '    moduleModels',
      '      acme:wheels:fast is rdk:component:base',
      '    1.10.0 [administer;module;registryVersion]',
      '      linux/amd64 6 [administer;module;registryFile]',
      '      linux/arm64 6 [administer;module;registryFile]',
      '    1.9.0 [administer;module;registryVersion]',
      '      linux/arm64 5 [administer;module;registryFile]',
      'otherItems',
      '  train [administer;inDevelopment;private;registryItem;trainingScript;versioned]',
      '    1 [administer;registryVersion;trainingScript]',
      '      any 7 [administer;registryFile;trainingScript]',
    ]);
  });

  it('request the list once, for any number of expanded folders, items, and versions', async () => {
    const wheels = await publish('wheels');
    for (const version of ['1.0.0', '1.1.0']) await upload(wheels, version, 'any');
    fleet.calls.clear();
    await draw();
    const calls = ['ListRegistryItems', 'GetRegistryItem', 'ListPackages'];
    // Two calls list all items and those in development; two calls list the archives of each
    // version.
    assert.deepEqual(
      calls.map((name) => fleet.calls.get(name) ?? 0),
      [2, 0, 2],
    );
  });

  it('show a page of a long list, and then more', async () => {
    for (const name of ['a', 'b', 'c', 'd']) await registry.createModule(organization, name);
    const [top] = await tree.listChildren();
    const folder = (await tree.listChildren(top)).find(({ kind }) => kind === 'modules');
    const children = await tree.listChildren(folder);
    assert.deepEqual(children.map(line).at(-1), 'load more (3 of 4)');
    const last = children.at(-1);
    if (last?.kind === 'loadMore') tree.loadMore(last);
    assert.equal((await tree.listChildren(folder)).length, 4);
  });

  it('show the matches of the registry filter, and how to see the rest', async () => {
    await upload(await publish('wheels'), '1.0.0', 'linux/arm64');
    await upload(await publish('arms', { visibility: 'private' }), '1.0.0', 'linux/any');
    await script('train');
    const names = async (filter: Partial<typeof WHOLE_REGISTRY>) => {
      tree.arrange({ ...PLAIN, registry: { ...WHOLE_REGISTRY, ...filter } });
      const lines = await draw();
      return lines
        .filter((text) => /^ {2}\S/.test(text))
        .map((text) => text.trim().replace(/ \[.*/, ''));
    };
    const noMatch = 'noItemMatches, with a command';
    assert.deepEqual(await names({ visibilities: ['public'] }), ['wheels', noMatch]);
    assert.deepEqual(await names({ types: ['module', 'mlModel'] }), ['arms', 'wheels', noMatch]);
    assert.deepEqual(await names({ statuses: ['inDevelopment'] }), [noMatch, 'train']);
    assert.deepEqual(await names({ platforms: ['linux/arm64'] }), ['arms', 'wheels', noMatch]);
    assert.deepEqual(await names({ platforms: ['linux/amd64'] }), ['arms', noMatch]);
    assert.deepEqual(await names({ platforms: ['darwin/arm64'] }), [noMatch, noMatch]);
    assert.deepEqual(await names({}), ['arms', 'wheels', 'train']);
  });

  it('match the filter of the fleet, and are shown immediately', async () => {
    await publish('wheels');
    await publish('arms');
    tree.arrange({ ...PLAIN, filter: { text: 'WHEEL', statuses: [] } });
    const [top] = await tree.listChildren();
    assert.deepEqual((await tree.listChildren(top)).map(line), ['modules']);
    assert.deepEqual(
      (await draw()).filter((text) => text.includes('registryItem')),
      ['  wheels [administer;module;public;registryItem]'],
    );
    tree.arrange({ ...PLAIN, filter: { text: 'WHEEL', statuses: ['online'] } });
    assert.deepEqual(
      (await tree.listChildren()).map(line),
      ['nothingMatches, with a command'],
      'no item is online',
    );
  });

  it('are found by their target, unless they were deleted', async () => {
    for (const name of ['a', 'b', 'c', 'd']) await registry.createModule(organization, name);
    await script('train');
    const createTarget = async (name: string): Promise<RegistryItemTarget> => {
      const item = (await registry.list(organization)).find((one) => one.name === name);
      assert.ok(item);
      return {
        kind: 'registryItem',
        connectionId: owner.connectionToFleet.id,
        organizationId: organization,
        itemId: item.id,
        itemType: item.type,
        name,
      };
    };
    for (const name of ['d', 'train']) {
      const found = await tree.find(await createTarget(name));
      assert.equal(found?.kind === 'registryItem' && found.target.name, name);
    }
    const gone = await createTarget('d');
    await registry.delete({ id: gone.itemId, organizationId: organization });
    assert.equal(await tree.find(gone), undefined);
  });

  it('reload the folders only when an item changes', async () => {
    const wheels = await publish('wheels');
    await draw();
    const changes: (string | undefined)[] = [];
    tree.onDidChange((node) => changes.push(node && line(node)));
    await upload(wheels, '1.0.0', 'any');
    assert.deepEqual(changes, FOLDERS);
  });

  it('show the platforms of a version to users who cannot read its archives', async () => {
    await upload(await publish('wheels'), '1.0.0', 'linux/arm64');
    const hall = await owner.stores().locations.create(organization, 'Hall', undefined);
    const visitor = createTree(
      new TestSessions(await keyWithRoles(fleet, ['operator', 'location', hall.id])),
    );
    assert.deepEqual((await draw(visitor)).slice(0, 5), [
      'modules',
      '  wheels [module;public;registryItem;versioned]',
      '    moduleModels',
      '      acme:wheels:fast is rdk:component:base',
      '    1.0.0 [module;registryVersion]',
    ]);
    assert.match((await draw(visitor))[5] ?? '', /linux\/arm64/);
  });
});
