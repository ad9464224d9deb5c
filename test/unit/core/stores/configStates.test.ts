import assert from 'node:assert/strict';
import {
  type ConfigState,
  formatConfigStates,
  getConfigStage,
  isConfigPending,
  parseConfigStates,
} from '../../../../src/core/model/contractExtensions';
import type { PartSummary } from '../../../../src/core/model/entities';
import { type MachineId, organizationId } from '../../../../src/core/model/ids';
import type { FleetStores } from '../../../../src/core/stores/fleetStores';
import { type MemoryFleet, openMemoryFleet } from '../../../support/memoryFleet';
import { MemoryMachine } from '../../../support/memoryMachine';
import { TestSessions } from '../../../support/testSessions';

describe('PartStore config states', () => {
  let fleet: MemoryFleet;
  let sessions: TestSessions;
  let stores: FleetStores;
  let machine: MachineId;
  let part: PartSummary;
  let software: MemoryMachine;

  beforeEach(async () => {
    fleet = await openMemoryFleet();
    sessions = new TestSessions(fleet);
    stores = sessions.stores();
    const organization = organizationId(fleet.organizationId);
    const { id } = await stores.locations.create(organization, 'Yard', undefined);
    machine = await stores.machines.create(id, 'amr-04');
    part = (await stores.parts.list(machine))[0] ?? assert.fail();
    software = await MemoryMachine.ofPart(fleet, part.id);
  });

  afterEach(async () => {
    sessions.dispose();
    await fleet.close();
  });

  const readListed = async (): Promise<ConfigState> => {
    const [listed] = await stores.parts.list(machine);
    return listed?.configState ?? assert.fail('The service reports no state.');
  };

  it('follow a config from its save until the machine runs it', async () => {
    assert.equal(getConfigStage(await readListed()), 'neverFetched');
    await software.start();
    await software.reportApplied();
    await stores.parts.updateConfig(part.id, { name: part.name, configText: '{"components":[]}' });
    // The update invalidates the list, so it already contains the new state.
    const saved = await readListed();
    assert.equal(getConfigStage(saved), 'saved');
    assert.equal(isConfigPending(saved), true);

    const changes: (readonly string[])[] = [];
    stores.parts.onDidChange(({ parents }) => changes.push(parents));
    await software.fetchConfig();
    const contact = await stores.parts.readContact(part.id);
    assert.equal(contact.configState && getConfigStage(contact.configState), 'fetched');
    assert.equal(getConfigStage(await readListed()), 'fetched');
    await software.reportApplied();
    await stores.parts.rereadLists([machine]);
    const applied = await readListed();
    assert.equal(getConfigStage(applied), 'applied');
    assert.equal(isConfigPending(applied), false);
    assert.deepEqual(changes, [[machine], [machine]]);
  });

  it('have no stage after "fetched" for machines that do not report what they run', async () => {
    await software.start();
    const state = await stores.parts.readContact(part.id);
    assert.ok(state.configState);
    assert.equal(getConfigStage(state.configState), 'fetched');
    assert.equal(isConfigPending(state.configState), false);
  });

  it('are undefined if the service does not report them or sends something else', () => {
    assert.equal(parseConfigStates(null).size, 0);
    assert.equal(parseConfigStates('').size, 0);
    const state = parseConfigStates('part 12 - soon').get('part');
    assert.deepEqual(state, { saved: '12', fetched: undefined, applied: undefined });
  });

  it('are parsed from the header, which contains the states of at most 40 parts', () => {
    const state: ConfigState = {
      saved: '17',
      fetched: { revision: '16-ab', at: new Date(5), isCurrent: false, intervalMs: 10_000 },
      applied: { revision: '16-ab', at: new Date(7) },
    };
    const untouched: ConfigState = { saved: '3', fetched: undefined, applied: undefined };
    const states = new Map([
      ['a', state],
      ['b', untouched],
    ]);
    assert.deepEqual(parseConfigStates(formatConfigStates(states)), states);
    const many = new Map(Array.from({ length: 50 }, (_, index) => [`p${String(index)}`, state]));
    assert.equal(parseConfigStates(formatConfigStates(many)).size, 40);
  });
});
