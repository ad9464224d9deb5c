import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { FleetError } from '../../src/core/api/errors';
import { organizationId } from '../../src/core/model/ids';
import type { FleetStores } from '../../src/core/stores/fleetStores';
import { FleetTree } from '../../src/host/features/fleet/fleetTree';
import { FleetNodeRenderer } from '../../src/host/features/fleet/nodeRenderer';
import { ErrorNode, HintNode } from '../../src/host/features/fleet/nodes/listNodes';
import type { FleetNode } from '../../src/host/features/fleet/nodes/fleetNode';
import { NodeTreeProvider } from '../../src/host/platform/nodeTreeProvider';
import { CapturingPart } from '../support/capturingPart';
import { type MemoryFleet, openMemoryFleet } from '../support/memoryFleet';
import { MemoryMachine } from '../support/memoryMachine';
import { TestSessions } from '../support/testSessions';

const PAGE_SIZE = 2;

/**
 * Formats a node as a line of a golden tree: icon, label, description, expansion state, and
 * command.
 */
function draw({
  iconPath,
  label,
  description,
  collapsibleState,
  command,
}: vscode.TreeItem): string {
  const icon = iconPath instanceof vscode.ThemeIcon ? `$(${iconPath.id})` : '';
  const twistie = collapsibleState === vscode.TreeItemCollapsibleState.None ? '·' : '▸';
  const text = typeof label === 'string' ? label : '';
  const parts = [twistie, icon, text, typeof description === 'string' ? `– ${description}` : ''];
  return [...parts, command ? `→ ${command.command}` : ''].filter((word) => word !== '').join(' ');
}

describe('the rendered fleet tree', () => {
  let fleet: MemoryFleet;
  let sessions: TestSessions;
  let stores: FleetStores;
  let tree: FleetTree;
  let provider: NodeTreeProvider<FleetNode>;

  beforeEach(async () => {
    fleet = await openMemoryFleet();
    sessions = new TestSessions(fleet);
    stores = sessions.stores();
    tree = new FleetTree(sessions, fleet.clock, PAGE_SIZE);
    provider = new NodeTreeProvider(tree, new FleetNodeRenderer(fleet.clock));
  });

  afterEach(async () => {
    tree.dispose();
    sessions.dispose();
    await fleet.close();
  });

  async function golden(node?: FleetNode, indent = ''): Promise<string[]> {
    const lines: string[] = [];
    for (const child of await provider.getChildren(node)) {
      const item = provider.getTreeItem(child);
      lines.push(indent + draw(item), ...(await golden(child, `${indent}  `)));
    }
    return lines;
  }

  async function plant() {
    return stores.locations.create(organizationId(fleet.organizationId), 'Plant', undefined);
  }

  it('shows existing and missing resources', async () => {
    const { id } = await plant();
    for (const name of ['arm-1', 'arm-2', 'arm-3']) await stores.machines.create(id, name);
    await stores.fragments.create(organizationId(fleet.organizationId), 'base');
    await stores.datasets.create(organizationId(fleet.organizationId), 'pallets');
    await stores.locations.create(organizationId(fleet.organizationId), 'Lab', undefined);
    assert.deepEqual(await golden(), [
      '▸ $(organization) My Fleet',
      '  ▸ $(location) Lab',
      '    · $(info) No machines yet. Create one… → fleetwright.machine.create',
      '  ▸ $(location) Plant',
      '    ▸ $(vm-connect) arm-1 – awaiting setup',
      '      · $(circuit-board) arm-1-main – main · awaiting setup → fleetwright.part.openConfig',
      '    ▸ $(vm-connect) arm-2 – awaiting setup',
      '      · $(circuit-board) arm-2-main – main · awaiting setup → fleetwright.part.openConfig',
      '    · $(ellipsis) Load more (2 of 3 shown) → fleetwright.fleet.loadMore',
      '  ▸ $(layers) Fragments',
      '    · $(json) base – private → fleetwright.fragment.openConfig',
      '  ▸ $(library) Datasets',
      '    · $(file-media) pallets → fleetwright.data.browse',
      '  ▸ $(extensions) Modules',
      '    · $(info) No modules yet. Create one… → fleetwright.module.create',
      '  ▸ $(beaker) Models and Scripts',
      '    · $(info) No models or scripts yet. Upload a script… → fleetwright.trainingScript.upload',
      '  ▸ $(account) Members',
      '    ▸ $(person) owner@localhost – Owner',
      '      · $(shield) Owner of the organization',
      '  ▸ $(key) API Keys',
      '    ▸ $(key) Local owner – in use · Owner',
      '      · $(shield) Owner of the organization',
    ]);
  });

  it('shows the type, visibility, and usage of registry items', async () => {
    const organization = organizationId(fleet.organizationId);
    const { registry } = stores;
    const { id } = await registry.createModule(organization, 'wheels');
    const key = { id, organizationId: organization };
    await registry.updateModule(key, {
      visibility: 'publicUnlisted',
      url: '',
      description: 'Drives [wheels](command:evil)',
      models: [{ api: 'rdk:component:base', model: 'acme:a:b', description: '', markdown: '' }],
      entrypoint: 'main',
    });
    const read = async function* () {
      yield await Promise.resolve(new Uint8Array(1_500));
    };
    await registry.uploadModule({ ...key, version: '1.0.0', platform: 'any', read });
    await registry.createItem(organization, 'detector', 'mlModel');
    fleet.clock.advance(3 * 3_600_000);
    const [top] = await provider.getChildren();
    const folders = (await provider.getChildren(top)).filter(
      ({ kind }) => kind === 'modules' || kind === 'otherItems',
    );
    const lines = await Promise.all(folders.map((folder) => golden(folder)));
    assert.deepEqual(lines.flat(), [
      '▸ $(package) wheels – 1.0.0 · public, unlisted → fleetwright.registryItem.show',
      '  ▸ $(list-tree) Models',
      '    · $(plug) acme:a:b – rdk:component:base',
      '  ▸ $(tag) 1.0.0 – any platform · 3 hours ago',
      '    · $(file-zip) any platform – 1.5 kB · 3 hours ago',
      '▸ $(symbol-structure) detector – model · private · in development → fleetwright.registryItem.show',
      '  · $(info) No versions yet',
    ]);
    const [wheels] = await provider.getChildren(folders[0]);
    assert.ok(wheels);
    const { tooltip } = await provider.resolveTreeItem(provider.getTreeItem(wheels), wheels);
    assert.ok(typeof tooltip === 'string');
    assert.match(tooltip, /^Used by: no machines$/m);
    assert.match(tooltip, /\n\nDrives \[wheels\] \(command:evil\)$/);
  });

  it('distinguishes members and invitations, and shows their roles', async () => {
    const organization = organizationId(fleet.organizationId);
    const { id } = await plant();
    await stores.members.invite(organization, {
      email: 'ada@example.com',
      roles: [
        { name: 'operator', resourceType: 'location', resourceId: id },
        { name: 'operator', resourceType: 'organization', resourceId: organization },
      ],
      sendEmail: false,
    });
    fleet.clock.advance(3 * 3_600_000);
    const [top] = await provider.getChildren();
    const members = (await provider.getChildren(top)).find(({ kind }) => kind === 'members');
    assert.deepEqual(await golden(members), [
      '▸ $(person) owner@localhost – Owner',
      '  · $(shield) Owner of the organization',
      '▸ $(mail) ada@example.com – invited 3 hours ago · Operator and 1 more role',
      '  · $(play-circle) Operator of the organization',
      '  · $(play-circle) Operator of location "Plant"',
    ]);
    const [member] = await provider.getChildren(members);
    assert.ok(member);
    const { tooltip } = await provider.resolveTreeItem(provider.getTreeItem(member), member);
    assert.ok(typeof tooltip === 'string');
    assert.match(tooltip, /^owner@localhost\nUser: .*\nRoles: Owner\nMember since: /);
    assert.match(tooltip, /^Last login: /m);
  });

  it('shows the progress of a config until the machine runs it', async () => {
    const { id } = await plant();
    const machine = await stores.machines.create(id, 'arm-1');
    const part = (await stores.parts.list(machine))[0] ?? assert.fail();
    const software = await MemoryMachine.ofPart(fleet, part.id);
    await software.start();
    await software.reportApplied();
    await stores.parts.updateConfig(part.id, { name: part.name, configText: '{"services":[]}' });
    const findPart = async (): Promise<FleetNode> => {
      const [top] = await provider.getChildren();
      const [location] = await provider.getChildren(top);
      const [arm] = await provider.getChildren(location);
      return (await provider.getChildren(arm))[0] ?? assert.fail();
    };
    const describePart = async () => {
      stores.parts.refresh();
      const node = await findPart();
      const item = provider.getTreeItem(node);
      const { tooltip } = await provider.resolveTreeItem(item, node);
      assert.ok(typeof tooltip === 'string');
      return { description: item.description, tooltip };
    };
    const saved = await describePart();
    assert.equal(saved.description, 'main · online · previous config');
    assert.match(saved.tooltip, /^Config fetched: previous revision, .+$/m);
    assert.match(saved.tooltip, /^Config applied: previous revision, .+$/m);
    await software.fetchConfig();
    assert.equal((await describePart()).description, 'main · online · config fetched');
    await software.reportApplied();
    const applied = await describePart();
    assert.equal(applied.description, 'main · online');
    assert.match(applied.tooltip, /^Config applied: saved revision, .+$/m);
  });

  it('shows when a machine was last online, and does not show old states as online', async () => {
    const { id } = await plant();
    const machine = await stores.machines.create(id, 'arm-1');
    const [part] = await stores.parts.list(machine);
    await (await MemoryMachine.ofPart(fleet, part?.id ?? '')).start();
    const lines = async (): Promise<string[]> => {
      const [top] = await provider.getChildren();
      const [location] = await provider.getChildren(top);
      return golden(location);
    };
    assert.equal((await lines())[0], '▸ $(vm-active) arm-1 – online');
    // The list isn't reloaded while the time advances.
    fleet.clock.advance(11 * 60_000);
    assert.equal((await lines())[0], '▸ $(vm) arm-1 – last seen 11 minutes ago');
    stores.machines.refresh();
    assert.deepEqual(await lines(), [
      '▸ $(vm-outline) arm-1 – offline · last seen 11 minutes ago',
      '  · $(circuit-board) arm-1-main – main · offline · last seen 11 minutes ago → fleetwright.part.openConfig',
    ]);
  });

  it('shows the sharing organizations of a location, in both directions', async () => {
    const location = await plant();
    const other = await stores.organizations.create('Other');
    await stores.locations.share(location, other.id);
    const [mine, theirs] = await provider.getChildren();
    const [shared] = await provider.getChildren(mine);
    const [foreign] = await provider.getChildren(theirs);
    assert.ok(shared && foreign);
    const drawn = [shared, foreign].map((node) => draw(provider.getTreeItem(node)));
    assert.deepEqual(drawn, [
      '▸ $(location) Plant – shared with 1 organization',
      '▸ $(location) Plant – shared by My Fleet',
    ]);
    const tooltip = async (node: FleetNode): Promise<string> => {
      const item = await provider.resolveTreeItem(provider.getTreeItem(node), node);
      return typeof item.tooltip === 'string' ? item.tooltip : '';
    };
    assert.match(await tooltip(shared), /^Shared with: Other$/m);
    assert.match(await tooltip(foreign), /^Shared by: My Fleet$/m);
  });

  it('shows the contents of a dataset in its tooltip', async () => {
    const organization = organizationId(fleet.organizationId);
    const dataset = await stores.datasets.create(organization, 'pallets');
    fleet.otherNames.set('pallets', '[x](command:evil) \u202egnp');
    const part = await CapturingPart.create(fleet, stores);
    const tooltip = async (): Promise<string> => {
      const [top] = await provider.getChildren();
      const folder = (await provider.getChildren(top)).find(({ kind }) => kind === 'datasets');
      const [node] = await provider.getChildren(folder);
      assert.ok(node);
      const item = await provider.resolveTreeItem(provider.getTreeItem(node), node);
      assert.equal(item.label, '[x] (command:evil) \ufffdgnp');
      return typeof item.tooltip === 'string' ? item.tooltip : '';
    };
    assert.match(await tooltip(), /^Contents: empty$/m);
    await stores.binaryData.addToDataset(dataset, await part.captureMany(2));
    assert.match(await tooltip(), /^Contents: 2 items, 2 byte/m);
    assert.match(await tooltip(), /^Created: /m);
  });

  it('shows the reason of an error and the recovery action', async () => {
    const message = 'The local fleet is not running. Start it again.';
    const error = new FleetError('unavailable', message, { action: 'startLocalFleet' });
    stores.organizations.list = () => Promise.reject(error);
    assert.deepEqual(await golden(), [
      '· $(error) The local fleet is not running – Start Local Fleet → fleetwright.fleet.retry',
    ]);
    const [node] = await provider.getChildren();
    assert.ok(node instanceof ErrorNode);
    const item = await provider.resolveTreeItem(provider.getTreeItem(node), node);
    assert.equal(item.tooltip, message);
  });

  it('offers to fill an empty list only if the key has permission', () => {
    const renderer = new FleetNodeRenderer(fleet.clock);
    const hints = [true, false].map(
      (canCreate) => new HintNode(undefined, 'noMachines', canCreate),
    );
    assert.deepEqual(
      hints.map((node) => draw(renderer.render(node))),
      [
        '· $(info) No machines yet. Create one… → fleetwright.machine.create',
        '· $(info) No machines yet',
      ],
    );
  });

  it('renders hostile names as harmless text', async () => {
    const { id } = await plant();
    await stores.machines.create(id, 'arm-1');
    fleet.otherNames.set('arm-1', '[x](command:evil) <b>\u202egnp\t$(zap)');
    const [organization] = await provider.getChildren();
    const [location] = await provider.getChildren(organization);
    const [machine] = await provider.getChildren(location);
    assert.ok(machine);
    const item = provider.getTreeItem(machine);
    assert.equal(item.label, '[x] (command:evil) <b>\ufffdgnp\ufffd$(zap)');
    const { tooltip } = await provider.resolveTreeItem(item, machine);
    assert.equal(typeof tooltip, 'string');
  });

  it('includes the meaning of icons for screen readers', async () => {
    const { id } = await plant();
    await stores.machines.create(id, 'arm-1');
    const [organization] = await provider.getChildren();
    const [location] = await provider.getChildren(organization);
    const [machine] = await provider.getChildren(location);
    assert.ok(machine);
    const [part] = await provider.getChildren(machine);
    assert.ok(part);
    const spoken = [machine, part].map(
      (node) => provider.getTreeItem(node).accessibilityInformation?.label,
    );
    assert.deepEqual(spoken, ['arm-1, awaiting setup', 'arm-1-main, main, awaiting setup']);
  });

  it('preserves the name of a row for screen readers when its tooltip is resolved', async () => {
    const location = await plant();
    const other = await stores.organizations.create('Other');
    await stores.locations.share(location, other.id);
    const [organization] = await provider.getChildren();
    const [node] = await provider.getChildren(organization);
    assert.ok(organization && node);
    const names = [organization, node].map(async (row) => {
      const item = await provider.resolveTreeItem(provider.getTreeItem(row), row);
      assert.ok(typeof item.tooltip === 'string' && item.tooltip.includes('\n'));
      return item.accessibilityInformation?.label;
    });
    assert.deepEqual(await Promise.all(names), ['My Fleet', 'Plant, shared with 1 organization']);
  });
});
