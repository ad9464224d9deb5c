import assert from 'node:assert/strict';
import { resolveConfig } from '../../../../src/core/fragments/resolveConfig';
import { fragmentId, type MachineId, organizationId } from '../../../../src/core/model/ids';
import type { FleetStores } from '../../../../src/core/stores/fleetStores';
import { loadFragments } from '../../../../src/core/stores/loadFragments';
import { type MemoryFleet, openMemoryFleet } from '../../../support/memoryFleet';
import { TestSessions } from '../../../support/testSessions';

const NOWHERE = '00000000-0000-4000-8000-000000000000';

describe('loadFragments', () => {
  let fleet: MemoryFleet;
  let sessions: TestSessions;
  let stores: FleetStores;
  let machine: MachineId;

  beforeEach(async () => {
    fleet = await openMemoryFleet();
    sessions = new TestSessions(fleet);
    stores = sessions.stores();
    const location = await stores.locations.create(organization(), 'Yard', undefined);
    machine = await stores.machines.create(location.id, 'rover');
  });

  afterEach(async () => {
    sessions.dispose();
    await fleet.close();
  });

  const organization = () => organizationId(fleet.organizationId);

  async function fragment(name: string, config: unknown): Promise<string> {
    return (await stores.fragments.create(organization(), name, JSON.stringify(config))).id;
  }

  async function save(config: unknown): Promise<void> {
    const [part] = await stores.parts.list(machine);
    assert.ok(part);
    await stores.parts.updateConfig(part.id, {
      name: part.name,
      configText: JSON.stringify(config),
    });
    fleet.calls.clear();
  }

  async function resolved(config: unknown, saved: unknown) {
    const { lookup, getName } = await loadFragments(stores.fragments, {
      machine,
      config,
      saved,
    });
    const { config: text, problems } = resolveConfig(config, lookup);
    return { text, getName, problems: problems.map(({ kind }) => kind) };
  }

  it('reads the fragments of a machine at any depth in one call', async () => {
    const inner = await fragment('inner', { services: [{ name: 's' }] });
    const outer = await fragment('outer', { fragments: [inner] });
    const config = { fragments: [{ id: outer, prefix: 'left' }] };
    await save(config);
    const { text, getName, problems } = await resolved(config, config);
    assert.deepEqual([text, problems], [{ services: [{ name: 'left-s' }] }, []]);
    assert.equal(getName(inner), 'inner');
    assert.deepEqual([...fleet.calls.keys()], ['ListMachineFragments']);
  });

  it('reads fragments of unsaved edits in the same call', async () => {
    const inner = await fragment('inner', { debug: true });
    const outer = await fragment('outer', { fragments: [inner] });
    await save({});
    const { text, problems } = await resolved({ fragments: [outer] }, {});
    assert.deepEqual([text, problems], [{ debug: true }, []]);
    assert.deepEqual([...fleet.calls.entries()], [['ListMachineFragments', 1]]);
  });

  it('omits missing fragments, and reads the others', async () => {
    const there = await fragment('there', { debug: true });
    await save({});
    const { text, problems } = await resolved({ fragments: [NOWHERE, there] }, {});
    assert.deepEqual(problems, ['unknownFragment']);
    assert.deepEqual(text, { fragments: [NOWHERE], debug: true });
  });

  it('distinguishes pinned versions and the latest', async () => {
    const id = await fragment('moving', { network: 1 });
    const first = await stores.fragments.get(fragmentId(id));
    await stores.fragments.updateConfig(first.id, { name: 'moving', configText: '{"network": 2}' });
    const pinned = { fragments: [{ id, version: first.revision }] };
    await save(pinned);
    assert.deepEqual((await resolved(pinned, pinned)).text, { network: 1 });
    assert.deepEqual([...fleet.calls.keys()], ['ListMachineFragments']);
    assert.deepEqual((await resolved({ fragments: [id] }, pinned)).text, { network: 2 });
  });

  it('reports that the service is unavailable', async () => {
    await stores.machines.delete(await stores.machines.get(machine));
    const gone = await resolved({ fragments: [NOWHERE] }, {});
    assert.deepEqual(gone.problems, ['unknownFragment']);
    await fleet.close();
    await assert.rejects(loadFragments(stores.fragments, { machine, config: {}, saved: {} }));
  });
});
