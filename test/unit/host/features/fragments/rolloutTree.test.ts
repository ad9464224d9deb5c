import assert from 'node:assert/strict';
import {
  type LocationId,
  organizationId,
  type OrganizationId,
  type PartId,
} from '../../../../../src/core/model/ids';
import type { FragmentTarget } from '../../../../../src/core/model/resourceTarget';
import type { FleetStores } from '../../../../../src/core/stores/fleetStores';
import {
  type RolloutNode,
  RolloutTree,
} from '../../../../../src/host/features/fragments/rolloutTree';
import { type MemoryFleet, openMemoryFleet } from '../../../../support/memoryFleet';
import { MemoryMachine } from '../../../../support/memoryMachine';
import { TestSessions } from '../../../../support/testSessions';

const PAGE_SIZE = 2;

/** Formats a node as a line of a golden tree. */
function line(node: RolloutNode): string {
  switch (node.kind) {
    case 'group':
      return `${node.state} (${node.count})`;
    case 'part':
      return `  ${node.target.machineName} ${node.part.fetched}`;
    case 'rest':
      return `  load more (${node.shown} of ${node.count})`;
    case 'error':
      return `error ${node.error.kind}`;
  }
}

describe('RolloutTree', () => {
  let fleet: MemoryFleet;
  let sessions: TestSessions;
  let stores: FleetStores;
  let tree: RolloutTree;
  let organization: OrganizationId;
  let location: LocationId;
  let target: FragmentTarget;

  beforeEach(async () => {
    fleet = await openMemoryFleet();
    sessions = new TestSessions(fleet);
    stores = sessions.stores();
    tree = new RolloutTree(sessions, PAGE_SIZE);
    organization = organizationId(fleet.organizationId);
    location = (await stores.locations.create(organization, 'Yard', undefined)).id;
    const { id, name } = await stores.fragments.create(organization, 'drive', '{}');
    const connectionId = sessions.connectionToFleet.id;
    const kind = 'fragment';
    target = { kind, connectionId, organizationId: organization, fragmentId: id, name };
  });

  afterEach(async () => {
    tree.dispose();
    sessions.dispose();
    await fleet.close();
  });

  async function newUser(name: string, fragments: unknown = [{ id: target.fragmentId }]) {
    const machine = await stores.machines.create(location, name);
    const part: PartId = (await stores.parts.list(machine))[0]?.id ?? assert.fail();
    await stores.parts.updateConfig(part, {
      name: `${name}-main`,
      configText: JSON.stringify({ fragments }),
    });
    const software = await MemoryMachine.ofPart(fleet, part);
    return {
      software,
      async apply() {
        await software.start();
        await software.reportApplied();
      },
    };
  }

  const editFragment = () =>
    stores.fragments.updateConfig(target.fragmentId, {
      name: target.name,
      configText: '{"components": []}',
    });

  async function draw(): Promise<string[]> {
    const groups = await tree.listChildren();
    const lines: string[] = [];
    for (const group of groups) {
      lines.push(line(group));
      for (const node of await tree.listChildren(group)) lines.push(line(node));
    }
    return lines;
  }

  it('groups parts by the progress of the saved revision', async () => {
    const { revision } = await stores.fragments.get(target.fragmentId, { fresh: true });
    const arm = await newUser('arm');
    const rover = await newUser('rover');
    await newUser('truck');
    const crane = await newUser('crane', [{ id: target.fragmentId, version: revision }]);
    for (const machine of [arm, rover, crane]) await machine.apply();
    await editFragment();
    await arm.apply();
    tree.show(target);
    fleet.calls.clear();
    assert.deepEqual(await draw(), [
      'applied (1)',
      '  arm savedRevision',
      'pending (1)',
      '  rover anotherRevision',
      'pinned (1)',
      '  crane anotherRevision',
      'unknown (1)',
      '  truck nothing',
    ]);
    assert.equal(fleet.calls.get('ListFragmentRollout'), 4);
    assert.deepEqual(tree.counts, { applied: 1, pending: 1, pinned: 1, unknown: 1 });
    const [group] = await tree.listChildren();
    const [part] = group ? await tree.listChildren(group) : [];
    assert.equal(part && tree.findParent(part), group);

    await rover.apply();
    await tree.refresh();
    assert.deepEqual((await draw()).slice(0, 3), [
      'applied (2)',
      '  arm savedRevision',
      '  rover savedRevision',
    ]);
  });

  it('shows more parts of a group on request', async () => {
    for (const name of ['a-3', 'a-1', 'a-2', 'a-10', 'a-4']) await newUser(name);
    tree.show(target);
    assert.deepEqual(await draw(), [
      'unknown (5)',
      '  a-1 nothing',
      '  a-3 nothing',
      '  load more (2 of 5)',
    ]);
    await tree.loadMore({ state: 'unknown' });
    await tree.loadMore({ state: 'unknown' });
    assert.deepEqual(await draw(), [
      'unknown (5)',
      ...['a-1', 'a-2', 'a-3', 'a-4', 'a-10'].map((name) => `  ${name} nothing`),
    ]);
  });

  it('shows the parts if a refresh replaces the first read', async () => {
    await newUser('arm');
    tree.show(target);
    const drawn = draw();
    await tree.refresh();
    assert.deepEqual(await drawn, ['unknown (1)', '  arm nothing']);
  });

  it('is empty for a fragment that no part uses', async () => {
    tree.show(target);
    assert.deepEqual(await draw(), []);
    assert.deepEqual(tree.counts, { applied: 0, pending: 0, pinned: 0, unknown: 0 });
  });

  it('shows the error of a fragment that was deleted, and parts again on another one', async () => {
    await newUser('arm');
    tree.show(target);
    await draw();
    const other = await stores.fragments.create(organization, 'other', '{}');
    await stores.fragments.delete({ id: target.fragmentId, organizationId: organization });
    await tree.refresh();
    assert.deepEqual(await draw(), ['error notFound']);
    assert.equal(tree.counts, undefined);
    tree.show({ ...target, fragmentId: other.id });
    assert.deepEqual(await draw(), []);
  });

  it('requires a sign-in after a sign-out', async () => {
    await newUser('arm');
    tree.show(target);
    await draw();
    sessions.signOut();
    await tree.refresh();
    assert.deepEqual(await draw(), ['error unauthenticated']);
    sessions.signIn();
    await tree.refresh();
    assert.deepEqual(await draw(), ['unknown (1)', '  arm nothing']);
  });

  it('shows an error if the service does not report rollouts', async () => {
    fleet.unsupported.add('ListFragmentRollout');
    tree.show(target);
    assert.deepEqual(await draw(), ['error unsupported']);
  });

  it('preserves the parts if a refresh fails temporarily', async () => {
    await newUser('arm');
    const unavailable = new Error('down');
    let isDown = false;
    const flaky = {
      stores: () => {
        if (isDown) throw unavailable;
        return stores;
      },
    };
    const other = new RolloutTree(flaky, PAGE_SIZE);
    other.show(target);
    const [before] = await other.listChildren();
    isDown = true;
    await other.refresh();
    assert.ok(other.refreshError);
    assert.deepEqual(await other.listChildren(), [before]);
    isDown = false;
    await other.refresh();
    assert.equal(other.refreshError, undefined);
    other.dispose();
  });

  it('detects from lists and fragments whether the service reports rollouts', async () => {
    const changes: boolean[] = [];
    stores.fragments.onDidChangeRolloutSupport(() =>
      changes.push(stores.fragments.reportsRollouts),
    );
    await stores.fragments.list(organization, { fresh: true });
    await stores.fragments.get(target.fragmentId, { fresh: true });
    assert.deepEqual(changes, [true]);
  });
});
