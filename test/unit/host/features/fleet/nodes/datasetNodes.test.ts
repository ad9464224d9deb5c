import assert from 'node:assert/strict';
import { type OrganizationId, organizationId } from '../../../../../../src/core/model/ids';
import type { DatasetTarget } from '../../../../../../src/core/model/resourceTarget';
import type { FleetStores } from '../../../../../../src/core/stores/fleetStores';
import { PLAIN } from '../../../../../../src/host/features/fleet/arrangement';
import { FleetTree } from '../../../../../../src/host/features/fleet/fleetTree';
import type { FleetNode } from '../../../../../../src/host/features/fleet/nodes/fleetNode';
import { CapturingPart } from '../../../../../support/capturingPart';
import { keyWithRoles } from '../../../../../support/keyWithRoles';
import { type MemoryFleet, openMemoryFleet } from '../../../../../support/memoryFleet';
import { TestSessions } from '../../../../../support/testSessions';

const PAGE_SIZE = 3;

/** Formats datasets and their placeholder nodes as lines of a golden tree. */
function line(node: FleetNode): string {
  switch (node.kind) {
    case 'dataset':
      return `${node.target.name} [${node.contextValue}]`;
    case 'hint':
      return `${node.hint}${node.canCreate ? ', with a command' : ''}`;
    case 'loadMore':
      return `load more (${node.shown} of ${node.total})`;
    default:
      return `${node.kind} [${node.contextValue}]`;
  }
}

describe('datasets in the fleet tree', () => {
  let fleet: MemoryFleet;
  let owner: TestSessions;
  let stores: FleetStores;
  let tree: FleetTree;
  let organization: OrganizationId;
  const opened: { dispose(): void }[] = [];

  beforeEach(async () => {
    fleet = await openMemoryFleet();
    organization = organizationId(fleet.organizationId);
    owner = new TestSessions(fleet);
    stores = owner.stores();
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

  async function folder(of = tree): Promise<FleetNode> {
    const [top] = await of.listChildren();
    const found = (await of.listChildren(top)).find(({ kind }) => kind === 'datasets');
    return found ?? assert.fail('no folder');
  }

  const drawn = async (of = tree): Promise<string[]> =>
    (await of.listChildren(await folder(of))).map(line);

  async function create(name: string): Promise<DatasetTarget> {
    const id = await stores.datasets.create(organization, name);
    const { id: connectionId } = owner.active ?? assert.fail('no connection');
    return { kind: 'dataset', connectionId, organizationId: organization, datasetId: id, name };
  }

  it('are sorted by name, with one call for any number', async () => {
    for (const name of ['night', 'Pallets 10', 'Pallets 2']) await create(name);
    fleet.calls.clear();
    assert.deepEqual(await drawn(), [
      'night [administer;dataset;readData;writeData]',
      'Pallets 2 [administer;dataset;readData;writeData]',
      'Pallets 10 [administer;dataset;readData;writeData]',
    ]);
    await drawn();
    assert.equal(fleet.calls.get('ListDatasetsByOrganizationID'), 1);
  });

  it('follow created, renamed, and deleted datasets', async () => {
    assert.deepEqual(await drawn(), ['noDatasets, with a command']);
    const changed: (string | undefined)[] = [];
    tree.onDidChange((node) => changed.push(node?.kind));
    const { datasetId } = await create('pallets');
    await stores.datasets.rename({ id: datasetId, organizationId: organization }, 'boxes');
    assert.deepEqual(await drawn(), ['boxes [administer;dataset;readData;writeData]']);
    await stores.datasets.delete({ id: datasetId, organizationId: organization });
    assert.deepEqual(await drawn(), ['noDatasets, with a command']);
    assert.deepEqual([...new Set(changed)], ['datasets']);
  });

  it('are found on later pages', async () => {
    const targets: DatasetTarget[] = [];
    for (let index = 0; index <= PAGE_SIZE; index += 1) targets.push(await create(`set ${index}`));
    assert.equal((await drawn()).at(-1), `load more (${PAGE_SIZE} of ${PAGE_SIZE + 1})`);
    const node = await tree.find(targets.at(-1) ?? assert.fail());
    assert.equal(node?.kind === 'dataset' && node.dataset.name, `set ${PAGE_SIZE}`);
    assert.equal(node && tree.findParent(node)?.kind, 'datasets');
  });

  it('are found by a filter, by name and by the name of their organization', async () => {
    await create('pallets');
    await create('night');
    tree.arrange({ ...PLAIN, filter: { text: 'PALL', statuses: [] } });
    assert.deepEqual(await drawn(), ['pallets [administer;dataset;readData;writeData]']);
    tree.arrange({ ...PLAIN, filter: { text: '', statuses: ['offline'] } });
    assert.deepEqual((await tree.listChildren()).map(line), ['nothingMatches, with a command']);
  });

  it('remain in place when machines are grouped', async () => {
    await create('pallets');
    tree.arrange({ ...PLAIN, grouping: 'status' });
    assert.deepEqual(await drawn(), ['pallets [administer;dataset;readData;writeData]']);
  });

  it('are read-only for an operator', async () => {
    await create('pallets');
    const roles = ['operator', 'organization', fleet.organizationId] as const;
    const limited = createTree(new TestSessions(await keyWithRoles(fleet, roles)));
    assert.deepEqual(await drawn(limited), ['pallets [dataset;readData]']);
  });

  it('are hidden from a key without a role on the organization, whose filters still work', async () => {
    await create('pallets');
    const plant = await stores.locations.create(organization, 'Plant', undefined);
    const roles = ['owner', 'location', plant.id] as const;
    const limited = createTree(new TestSessions(await keyWithRoles(fleet, roles)));
    assert.deepEqual(await drawn(limited), ['datasetsHidden, with a command']);
    limited.arrange({ ...PLAIN, filter: { text: 'plant', statuses: [] } });
    const [top] = await limited.listChildren();
    assert.deepEqual(
      (await limited.listChildren(top)).map(({ kind }) => kind),
      ['location'],
    );
  });

  it('show their contents, and are redrawn when those change', async () => {
    const { datasetId } = await create('pallets');
    const part = await CapturingPart.create(fleet, stores);
    const ids = await part.captureMany(2);
    const readContents = async () => {
      const [node] = await tree.listChildren(await folder());
      return node?.kind === 'dataset' ? node.contents() : assert.fail('no dataset');
    };
    assert.deepEqual(await readContents(), { count: 0, bytes: 0 });
    const changed: (string | undefined)[] = [];
    tree.onDidChange((node) => changed.push(node?.kind));
    await stores.binaryData.addToDataset(datasetId, ids);
    assert.deepEqual(changed, ['datasets']);
    assert.deepEqual(await readContents(), { count: 2, bytes: 2 });
  });
});
