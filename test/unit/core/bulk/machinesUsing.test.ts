import assert from 'node:assert/strict';
import type { FragmentTarget } from '../../../../src/core/model/resourceTarget';
import { fragmentId, type MachineId, organizationId } from '../../../../src/core/model/ids';
import { findPart } from '../../../../src/core/stores/findMachines';
import type { FleetStores } from '../../../../src/core/stores/fleetStores';
import { findMachinesUsing } from '../../../../src/core/bulk/machinesUsing';
import { type MemoryFleet, openMemoryFleet } from '../../../support/memoryFleet';
import { TestSessions } from '../../../support/testSessions';

describe('findMachinesUsing', () => {
  let fleet: MemoryFleet;
  let sessions: TestSessions;
  let stores: FleetStores;
  const machines = new Map<string, MachineId>();

  beforeEach(async () => {
    fleet = await openMemoryFleet();
    sessions = new TestSessions(fleet);
    stores = sessions.stores();
    const location = await stores.locations.create(organization(), 'Yard', undefined);
    for (const name of ['rover-1', 'rover-2', 'rover-3', 'spare']) {
      machines.set(name, await stores.machines.create(location.id, name));
    }
  });

  afterEach(async () => {
    sessions.dispose();
    await fleet.close();
  });

  const organization = () => organizationId(fleet.organizationId);
  const connectionId = () => sessions.connectionToFleet.id;
  const getMainPart = async (name: string) => {
    const [part] = await stores.parts.list(machines.get(name) ?? assert.fail());
    return part ?? assert.fail();
  };

  async function save(machine: string, fragments: unknown): Promise<void> {
    const part = await getMainPart(machine);
    const configText = JSON.stringify({ fragments });
    await stores.parts.updateConfig(part.id, { name: part.name, configText });
  }

  async function findUsers(id: string): Promise<string[]> {
    const target: FragmentTarget = {
      kind: 'fragment',
      connectionId: connectionId(),
      organizationId: organization(),
      fragmentId: fragmentId(id),
      name: 'x',
    };
    fleet.calls.clear();
    const found = await findMachinesUsing(stores, target, new AbortController().signal);
    assert.deepEqual([found.machines, found.failed], [4, 0]);
    return found.parts.map(({ machine, importPath, throughNames }) =>
      [machine.target.name, ...throughNames, ...(importPath.disabled ? ['off'] : [])].join(' > '),
    );
  }

  it('finds direct and nested uses, with one call for all fragments and one per machine', async () => {
    const create = (name: string, config: object) =>
      stores.fragments.create(organization(), name, JSON.stringify(config));
    const inner = await create('inner', { debug: true });
    const outer = await create('outer', { fragments: [inner.id] });
    await save('rover-1', [inner.id]);
    await save('rover-2', [{ id: outer.id, prefix: 'l' }]);
    await save('rover-3', [{ id: inner.id, disabled: true }]);
    assert.deepEqual(await findUsers(inner.id), ['rover-1', 'rover-2 > outer', 'rover-3 > off']);
    assert.equal(fleet.calls.get('ListFragments'), 1);
    assert.equal(fleet.calls.get('GetRobotParts'), 4);
    assert.equal(fleet.calls.has('GetFragment'), false);
    assert.deepEqual(await findUsers(outer.id), ['rover-2']);
    assert.deepEqual(await findUsers('00000000-0000-4000-8000-000000000000'), []);
  });

  it('stops when the person leaves', async () => {
    const controller = new AbortController();
    controller.abort();
    const target = {
      kind: 'fragment',
      connectionId: connectionId(),
      organizationId: organization(),
      fragmentId: fragmentId('x'),
      name: 'x',
    } as const;
    await assert.rejects(findMachinesUsing(stores, target, controller.signal));
  });

  it('finds a part by its id alone', async () => {
    const { id, name } = await getMainPart('rover-2');
    const { target, organization: owner } = await findPart(stores, connectionId(), id);
    assert.deepEqual(
      [target.machineName, target.name, target.organizationId],
      ['rover-2', name, owner.id],
    );
  });
});
