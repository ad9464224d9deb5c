import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { FleetError } from '../../src/core/api/errors';
import { organizationId } from '../../src/core/model/ids';
import type { FragmentTarget } from '../../src/core/model/resourceTarget';
import type { FleetStores } from '../../src/core/stores/fleetStores';
import { type RolloutNode, RolloutTree } from '../../src/host/features/fragments/rolloutTree';
import { RolloutRenderer } from '../../src/host/features/fragments/rolloutView';
import { type MemoryFleet, openMemoryFleet } from '../support/memoryFleet';
import { MemoryMachine } from '../support/memoryMachine';
import { TestSessions } from '../support/testSessions';

const HOUR_MS = 3_600_000;

describe('the rollout of a fragment', () => {
  let fleet: MemoryFleet;
  let sessions: TestSessions;
  let stores: FleetStores;
  let tree: RolloutTree;
  let renderer: RolloutRenderer;
  let target: FragmentTarget;

  beforeEach(async () => {
    fleet = await openMemoryFleet();
    sessions = new TestSessions(fleet);
    stores = sessions.stores();
    tree = new RolloutTree(sessions, 2);
    renderer = new RolloutRenderer(fleet.clock);
    const organization = organizationId(fleet.organizationId);
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

  async function newMachine(name: string): Promise<MemoryMachine> {
    const organization = organizationId(fleet.organizationId);
    const { id } = await stores.locations.create(organization, `Yard of ${name}`, undefined);
    const machine = await stores.machines.create(id, name);
    const part = (await stores.parts.list(machine))[0]?.id ?? assert.fail();
    const configText = JSON.stringify({ fragments: [target.fragmentId] });
    await stores.parts.updateConfig(part, { name: `${name}-main`, configText });
    return MemoryMachine.ofPart(fleet, part);
  }

  const saveFragment = () =>
    stores.fragments.updateConfig(target.fragmentId, { name: 'drive', configText: '{"a": 1}' });

  /** Returns the items of the first group, and of its parts. */
  async function render(): Promise<readonly vscode.TreeItem[]> {
    const [group] = await tree.listChildren();
    assert.ok(group);
    const nodes: readonly RolloutNode[] = [group, ...(await tree.listChildren(group))];
    return nodes.map((node) => renderer.render(node));
  }

  const toLines = (items: readonly vscode.TreeItem[]): string[] =>
    items.map(({ label, description }) =>
      [label, description]
        .flatMap((text) => (typeof text === 'string' && text ? [text] : []))
        .join(': '),
    );

  const tooltip = async (): Promise<string> => {
    const [group] = await tree.listChildren();
    const [part] = group ? await tree.listChildren(group) : [];
    return (part && (await renderer.tooltip(part))) ?? '';
  };

  it('names the stage of each part', async () => {
    const machine = await newMachine('arm');
    tree.show(target);
    assert.deepEqual(toLines(await render()), ['Unknown: 1', 'arm: never fetched a config']);

    await machine.start();
    await tree.refresh();
    assert.deepEqual(toLines(await render()), ['Unknown: 1', 'arm: fetched']);
    assert.match(await tooltip(), /doesn't report which config it runs/);

    await machine.reportApplied();
    await tree.refresh();
    assert.deepEqual(toLines(await render()), ['Up to date: 1', 'arm']);

    await saveFragment();
    await tree.refresh();
    assert.deepEqual(toLines(await render()), ['Pending: 1', 'arm: not fetched yet']);

    await machine.fetchConfig();
    await tree.refresh();
    assert.deepEqual(toLines(await render()), ['Pending: 1', 'arm: fetched, not applied yet']);
    assert.match(await tooltip(), /^arm › arm-main\n.*\nLast fetched: /);
  });

  it('shows how long a pending machine has been offline', async () => {
    const machine = await newMachine('arm');
    await machine.start();
    await machine.reportApplied();
    await saveFragment();
    fleet.clock.advance(3 * HOUR_MS);
    tree.show(target);
    const [, part] = await render();
    assert.equal(part?.description, 'not fetched yet · offline · last seen 3 hours ago');
    const spoken = 'arm, not fetched yet, offline · last seen 3 hours ago';
    assert.equal(part.accessibilityInformation?.label, spoken);
  });

  it('offers to load more parts, and a recovery action after an error', async () => {
    for (const name of ['a', 'b', 'c']) await newMachine(name);
    tree.show(target);
    const more = (await render()).at(-1);
    assert.equal(more?.label, 'Load more (2 of 3 shown)');
    assert.equal(more.command?.command, 'fleetwright.rollout.loadMore');
    const failed = (action?: 'signIn') =>
      renderer.render({
        kind: 'error',
        id: 'error',
        error: new FleetError('unauthenticated', 'No.', action ? { action } : {}),
      });
    assert.equal(failed().command?.command, 'fleetwright.rollout.refresh');
    assert.equal(failed('signIn').command?.command, 'fleetwright.connection.signIn');
  });
});
