import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { LocationTarget, MachineTarget } from '../../src/core/model/resourceTarget';
import type { CommandId } from '../../src/manifest/commands';
import { HostFleet } from './support/hostFleet';
import { ScriptedPrompts } from './support/scriptedPrompts';

const machineName = 'bench-gantry';

describe('commands of the Command Palette that prompt for a resource in a real extension host', () => {
  let fleet: HostFleet;
  let prompts: ScriptedPrompts;
  let lab: LocationTarget;
  let machine: MachineTarget;

  before(async () => {
    fleet = await HostFleet.open();
    const organization = await fleet.findOrganization('Norrvik Automation');
    lab = await fleet.findLocation(organization, 'Application Lab');
    const machines = await fleet.findMachines(lab);
    machine = machines.find(({ name }) => name === machineName) ?? assert.fail(machineName);
  });

  beforeEach(() => {
    prompts = new ScriptedPrompts();
  });

  afterEach(async () => {
    prompts[Symbol.dispose]();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  const run = (id: CommandId, ...args: readonly unknown[]): Thenable<unknown> =>
    vscode.commands.executeCommand(id, ...args);

  function activeDocument(): string {
    return vscode.window.activeTextEditor?.document.uri.path ?? '';
  }

  it('machine.openConfig opens the config of the main part', async () => {
    await run('fleetwright.machine.openConfig', machine);
    assert.match(activeDocument(), /^\/parts\/[^/]+\/config\/.*bench-gantry-main\.json$/);
  });

  it('resource.openConfig opens the config of the selected machine', async () => {
    const running = run('fleetwright.resource.openConfig');
    await search(machineName);
    await running;
    assert.match(activeDocument(), /bench-gantry-main\.json$/);
  });

  it('resource.rename renames the selected resource of any kind', async () => {
    const rename = async (from: string, to: string): Promise<void> => {
      const running = run('fleetwright.resource.rename');
      await search(from);
      await prompts.enterText('Rename Machine', to);
      await running;
    };
    await rename(machineName, 'bench-crane');
    const names = (await fleet.findMachines(lab)).map(({ name }) => name);
    assert.ok(names.includes('bench-crane'), names.join());
    await rename('bench-crane', machineName);
  });

  it('resource.explainPermissions explains the resource of the active document', async () => {
    await run('fleetwright.machine.openConfig', machine);
    const running = run('fleetwright.resource.explainPermissions');
    await prompts.message('You can edit "bench-gantry-main".');
    await running;
  });

  it('fleet.groupMachines groups the Fleet view by the selected property', async () => {
    for (const grouping of ['Status', 'Location']) {
      const running = run('fleetwright.fleet.groupMachines');
      await prompts.pick('Group Machines By', grouping);
      await running;
    }
  });

  async function search(name: string): Promise<void> {
    const prompt = await prompts.next('Select a Resource');
    prompt.type(name);
    await prompts.pick('Select a Resource', name);
  }
});
