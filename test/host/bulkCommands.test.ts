import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { LocationTarget, MachineTarget } from '../../src/core/model/resourceTarget';
import { mustRestart } from '../support/machineCalls';
import { HostFleet } from './support/hostFleet';
import { ScriptedPrompts } from './support/scriptedPrompts';
import { until } from './support/until';

/** A machine of the same line, which the commands must not change. */
const otherName = 'palletizer-3';
const names = ['infeed-conveyor-3', 'label-inspection-3'] as const;

describe('commands on several selected machines in a real extension host', () => {
  let fleet: HostFleet;
  let prompts: ScriptedPrompts;
  let line: LocationTarget;
  let selected: readonly MachineTarget[];

  before(async () => {
    fleet = await HostFleet.open();
    line = await fleet.findLocation(await fleet.findOrganization('Norrvik Automation'), 'Line 3');
    const machines = await fleet.findMachines(line);
    selected = names.map((name) => machines.find((one) => one.name === name) ?? assert.fail(name));
  });

  beforeEach(() => {
    prompts = new ScriptedPrompts();
  });

  afterEach(() => {
    prompts[Symbol.dispose]();
  });

  const run = (command: string): Thenable<unknown> =>
    vscode.commands.executeCommand(command, selected[0], selected);

  it('bulk.setMetadata sets one value on all of them after the user enters valid JSON', async () => {
    const running = run('fleetwright.bulk.setMetadata');
    await prompts.enterText('Metadata key', 'cell');
    await prompts.validates('Value of "cell"', 'north', 'double quotes');
    await prompts.enterText('Value of "cell"', '"north"');
    await prompts.confirm('on 2 machines', 'Set Value');
    await prompts.message('2 done');
    await running;
    const withValue: string[] = [];
    for (const { machineId, name } of await fleet.findMachines(line)) {
      const { data } = await fleet.call((app) => app.getRobotMetadata({ id: machineId }));
      if (data?.cell === 'north') withValue.push(name);
    }
    assert.deepEqual(withValue.toSorted(), [...names]);
  });

  it('bulk.restart restarts the parts of all of them after one prompt', async () => {
    void run('fleetwright.bulk.restart');
    await prompts.confirm('Restart 2 parts of 2 machines?', 'Restart');
    await prompts.message('Restart 2 parts: 2 done');
    const restarting: string[] = [];
    for (const machine of await fleet.findMachines(line)) {
      for (const { partId } of await fleet.findParts(machine)) {
        const { part } = await fleet.call((app) => app.getRobotPart({ id: partId }));
        const secret = part?.secrets[0]?.secret ?? '';
        if (await mustRestart(fleet.url, { id: partId, secret })) restarting.push(machine.name);
      }
    }
    assert.deepEqual(restarting.toSorted(), [...names]);
  });

  it('bulk.delete deletes only them after the user enters their number', async () => {
    const running = run('fleetwright.bulk.delete');
    await prompts.validates('Delete 2 machines', 'delete 3', 'Type "delete 2"');
    await prompts.enterText('Delete 2 machines', 'delete 2');
    await running;
    await until('both to be deleted', async () => {
      const rest = (await fleet.findMachines(line)).map(({ name }) => name);
      return rest.includes(otherName) && !names.some((name) => rest.includes(name));
    });
  });
});
