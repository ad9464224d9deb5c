import '../../../../support/plainVscode';
import assert from 'node:assert/strict';
import type { Location } from '../../../../../src/core/model/entities';
import { connectionId, organizationId } from '../../../../../src/core/model/ids';
import type { LocationTarget } from '../../../../../src/core/model/resourceTarget';
import { FleetTree } from '../../../../../src/host/features/fleet/fleetTree';
import {
  revealTarget,
  type RevealTools,
} from '../../../../../src/host/features/fleet/revealTarget';
import { ScriptedPrompts } from '../../../../host/support/scriptedPrompts';
import { type MemoryFleet, openMemoryFleet } from '../../../../support/memoryFleet';
import { TestSessions } from '../../../../support/testSessions';

describe('revealTarget', () => {
  let fleet: MemoryFleet;
  let sessions: TestSessions;
  let tree: FleetTree;
  let prompts: ScriptedPrompts;
  let plant: Location;
  let target: LocationTarget;
  let selected: string[];
  /** Changes of the view, in order. */
  let changes: string[];
  let tools: RevealTools;

  beforeEach(async () => {
    fleet = await openMemoryFleet();
    sessions = new TestSessions(fleet);
    tree = new FleetTree(sessions, fleet.clock);
    prompts = new ScriptedPrompts();
    const organization = organizationId(fleet.organizationId);
    plant = await sessions.stores().locations.create(organization, 'Plant', undefined);
    target = {
      kind: 'location',
      connectionId: sessions.connectionToFleet.id,
      organizationId: organization,
      locationId: plant.id,
      name: 'Plant',
    };
    [selected, changes] = [[], []];
    const change = (name: string) => (): boolean => {
      changes.push(name);
      return true;
    };
    tools = {
      sessions,
      tree,
      arranger: {
        clearFilter: change('filter'),
        clearRegistryFilter: change('registry filter'),
        makePlain: change('grouping'),
      },
      select: (node) => {
        selected.push('target' in node && node.target ? node.target.name : node.kind);
        return Promise.resolve();
      },
    };
    fleet.calls.clear();
  });

  afterEach(async () => {
    prompts[Symbol.dispose]();
    tree.dispose();
    sessions.dispose();
    await fleet.close();
  });

  /** Reveals the target, and closes the message that explains why it isn't selected. */
  async function expectMessage(text: string): Promise<void> {
    const revealing = revealTarget(tools, target);
    await prompts.message(text);
    await revealing;
    assert.deepEqual(selected, []);
  }

  it('selects a resource of the active connection, and leaves the filters unchanged', async () => {
    await revealTarget(tools, target);
    assert.deepEqual([selected, changes], [['Plant'], []]);
  });

  it('clears the filters one by one until the resource is in the tree', async () => {
    const find: RevealTools['tree']['find'] = async (target) =>
      changes.length < 2 ? undefined : tree.find(target);
    await revealTarget({ ...tools, tree: { find } }, target);
    assert.deepEqual([selected, changes], [['Plant'], ['filter', 'registry filter']]);
  });

  it('reports that the resource was deleted', async () => {
    await sessions.stores().locations.delete(plant);
    await expectMessage('"Plant" no longer exists.');
    assert.deepEqual(changes, ['filter', 'registry filter', 'grouping']);
  });

  it('names the connection of a resource of another connection, and calls no service', async () => {
    sessions.active = { ...sessions.connectionToFleet, id: connectionId('other'), label: 'Other' };
    await expectMessage('"Plant" belongs to the connection "Test". To view it');
    assert.deepEqual([fleet.calls.size, changes, sessions.active.label], [0, [], 'Other']);
  });

  it('reports that the user is signed out of the connection', async () => {
    sessions.active = undefined;
    sessions.signOut();
    await expectMessage('You are signed out of the connection for "Plant". Sign in again');
    assert.equal(fleet.calls.size, 0);
  });
});
