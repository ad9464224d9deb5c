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
    assert.deepEqual([found.machines, found.failed], [machines.size, 0]);
    return found.parts.map(({ machine, importPath, throughNames }) =>
      [machine.target.name, ...throughNames, ...(importPath.disabled ? ['off'] : [])].join(' > '),
    );
  }

  it('finds direct and nested uses, with one call for all fragments and one for each of a few machines', async () => {
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

  describe('with many machines', () => {
    let innerId: string;
    let outerId: string;

    beforeEach(async () => {
      const [location] = await stores.locations.list(organization());
      assert.ok(location);
      for (let index = 0; index < 10; index += 1) {
        const name = `truck-${index}`;
        machines.set(name, await stores.machines.create(location.id, name));
      }
      const create = (name: string, config: object) =>
        stores.fragments.create(organization(), name, JSON.stringify(config));
      innerId = (await create('inner', { debug: true })).id;
      const off = { id: innerId, disabled: true };
      outerId = (await create('outer', { fragments: [off] })).id;
      await save('rover-1', [innerId]);
      await save('rover-2', [outerId]);
      await save('rover-3', [{ id: innerId, disabled: true }]);
    });

    afterEach(() => machines.clear());

    const uses = ['rover-1', 'rover-2 > outer > off', 'rover-3 > off'];

    it('reads only the machines that use the fragment according to their summaries', async () => {
      assert.deepEqual(await findUsers(innerId), uses);
      assert.equal(fleet.calls.get('ListMachineSummaries'), 1);
      assert.equal(fleet.calls.get('GetRobotParts'), 3);
      assert.deepEqual(await findUsers(outerId), ['rover-2']);
      assert.equal(fleet.calls.get('GetRobotParts'), 1);
      assert.deepEqual(await findUsers('00000000-0000-4000-8000-000000000000'), []);
      assert.equal(fleet.calls.has('GetRobotParts'), false);
    });

    it('reads every machine of a service without summaries', async () => {
      fleet.unsupported.add('ListMachineSummaries');
      assert.deepEqual(await findUsers(innerId), uses);
      assert.equal(fleet.calls.get('GetRobotParts'), machines.size);
    });

    it('finds uses that were added by another client', async () => {
      assert.deepEqual(await findUsers(outerId), ['rover-2']);
      const { id, name } = await getMainPart('truck-3');
      const elsewhere = new TestSessions(fleet);
      const configText = JSON.stringify({ fragments: [outerId] });
      await elsewhere.stores().parts.updateConfig(id, { name, configText });
      elsewhere.dispose();
      assert.deepEqual(await findUsers(outerId), ['rover-2', 'truck-3']);
    });
  });

  it('stops when the user cancels', async () => {
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

  it('finds a part by only its ID', async () => {
    const { id, name } = await getMainPart('rover-2');
    const { target, organization: owner } = await findPart(stores, connectionId(), id);
    assert.deepEqual(
      [target.machineName, target.name, target.organizationId],
      ['rover-2', name, owner.id],
    );
  });
});
