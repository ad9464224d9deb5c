import assert from 'node:assert/strict';
import { getRegistryItemId } from '../../../../src/service/messages/registryMessages';
import { newId } from '../../../../src/service/store/identifiers';
import { insertLocation } from '../../../../src/service/store/locations';
import { insertMachine } from '../../../../src/service/store/machines';
import { openSqliteStore } from '../../../../src/service/store/openStore';
import {
  insertOrganization,
  updateOrganization,
} from '../../../../src/service/store/organizations';
import { insertPart } from '../../../../src/service/store/parts';
import { findRegistryItem, insertRegistryItem } from '../../../../src/service/store/registry';
import { listRegistryUses, writeRegistryUses } from '../../../../src/service/store/registryUses';
import type { Store } from '../../../../src/service/store/store';

const createdAt = 1_000_000;

async function addOrganization(store: Store, publicNamespace?: string): Promise<string> {
  const { id } = await insertOrganization(store, { id: newId(), name: 'Acme', createdAt });
  if (publicNamespace !== undefined) {
    await updateOrganization(store, id, { public_namespace: publicNamespace });
  }
  return id;
}

async function addItem(store: Store, organizationId: string): Promise<string> {
  const id = newId();
  await insertRegistryItem(store, {
    id,
    organization_id: organizationId,
    name: 'grasps',
    type: 3,
    visibility: 1,
    status: 1,
    url: '',
    description: '',
    markdown_description: null,
    metadata: '{}',
    billing: null,
    created_at: createdAt,
    updated_at: createdAt,
  });
  return id;
}

/** Adds a machine whose config refers to an item. */
async function addUser(store: Store, organizationId: string, itemRef: string): Promise<void> {
  const [locationId, machineId, partId] = [newId(), newId(), newId()];
  await insertLocation(store, {
    id: locationId,
    organizationId,
    parentId: null,
    name: 'Hall',
    region: '',
    createdAt,
  });
  await insertMachine(store, { id: machineId, locationId, name: 'arm', createdAt });
  await insertPart(store, { id: partId, machineId, name: 'arm-main', isMain: true, createdAt });
  await writeRegistryUses(store, { partId }, [itemRef]);
}

// Older versions of the service allowed such namespaces.
describe('an organization whose namespace is the ID of another organization', () => {
  let store: Store;

  beforeEach(async () => {
    store = await openSqliteStore(':memory:');
  });

  afterEach(() => store.destroy());

  it("doesn't see the uses of the other organization's items", async () => {
    const victim = await addOrganization(store);
    const thief = await addOrganization(store, victim);
    const [own, stolen] = [await addItem(store, victim), await addItem(store, thief)];
    await addUser(store, victim, `${victim}:grasps`);
    const uses = await listRegistryUses(store, [own, stolen]);
    assert.deepEqual([...uses.keys()], [own]);
    assert.equal((await findRegistryItem(store, victim, 'grasps'))?.id, own);
  });

  it('has items with IDs that refer to these items', async () => {
    const victim = await addOrganization(store);
    const thief = await addOrganization(store, victim);
    await addItem(store, thief);
    const item = await findRegistryItem(store, thief, 'grasps');
    assert.ok(item);
    assert.equal(getRegistryItemId(item), `${thief}:grasps`);
  });

  it('has items whose uses count by their namespace if no organization has that ID', async () => {
    const namespace = newId();
    const organization = await addOrganization(store, namespace);
    const item = await addItem(store, organization);
    await addUser(store, organization, `${namespace}:grasps`);
    assert.equal((await listRegistryUses(store, [item])).get(item)?.machines, 1);
  });
});
