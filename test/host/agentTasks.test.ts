import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { schemes, settings } from '../../src/manifest/contributions';
import { HostFleet } from './support/hostFleet';
import { ScriptedAgent } from './support/scriptedAgent';

describe('an agent with a scripted language model in VS Code', () => {
  let fleet: HostFleet;
  let agent: ScriptedAgent;

  before(async () => {
    fleet = await HostFleet.open();
    agent = await ScriptedAgent.start();
  });

  after(() => agent[Symbol.dispose]());

  it('finds out why a machine was offline', async () => {
    const { answer: id } = await agent.run('Which machine is offline?', (answers) => {
      const [machines] = answers.map(readData);
      if (!machines) return { tool: 'fleetwright_list_machines', input: { status: 'offline' } };
      return String(first(machines, 'machines').id);
    });
    const line = 'lidar: no answer on /dev/ttyUSB0';
    await fleet.log(id, [line]);
    const { answer, tools } = await agent.run(`Why was ${id} offline?`, (answers) => {
      const [machine, logs] = answers.map(readData);
      if (!machine) return { tool: 'fleetwright_get_machine', input: { machineId: id } };
      const input = { partId: first(machine, 'parts').id, levels: ['error'] };
      if (!logs) return { tool: 'fleetwright_read_logs', input };
      return `Last seen at ${String(machine.lastSeen)}: ${String(first(logs, 'lines').message)}`;
    });
    assert.match(answer, /^Last seen at \d{4}-\d\d-\d\dT\S+Z: /);
    assert.ok(answer.endsWith(line));
    assert.deepEqual(tools, ['fleetwright_get_machine', 'fleetwright_read_logs']);
  });

  it('answers a question with SQL', async () => {
    const { answer } = await agent.run('How many readings are there?', (answers) => {
      const [organizations, columns, result] = answers.map(readData);
      if (!organizations) return { tool: 'fleetwright_list_organizations', input: {} };
      const organizationId = first(organizations, 'organizations').id;
      if (!columns) return { tool: 'fleetwright_describe_sensor_data', input: { organizationId } };
      const query = 'SELECT count(*) AS readings FROM readings';
      if (!result) return { tool: 'fleetwright_run_sql', input: { organizationId, query } };
      return `There are ${String(first(result, 'rows').readings)} readings.`;
    });
    assert.match(answer, /^There are [1-9]\d* readings\.$/);
  });

  it('proposes a fix of a config, which opens with unsaved changes beside their differences', async () => {
    const { Global } = vscode.ConfigurationTarget;
    const organization = await fleet.findOrganization('Norrvik Automation');
    const location = await fleet.findLocation(organization, 'Gothenburg Plant');
    const { machine, part } = await fleet.createMachine(location, 'mistaken', {
      components: [
        { name: 'cart', api: 'rdk:component:base', model: 'fake', depends_on: ['wheel'] },
      ],
      services: [{ name: 'wheels', api: 'rdk:service:generic', model: 'fake' }],
    });
    try {
      await vscode.workspace.getConfiguration().update(settings.agentWrites.key, ['*'], Global);
      const { answer } = await agent.run('Fix the config.', (answers) => {
        const [found, problems, saved, proposal] = answers.map(readData);
        if (!found) {
          const input = { query: `mistaken ${location.name}`, kinds: ['part'] };
          return { tool: 'fleetwright_find_resources', input };
        }
        const partId = first(found, 'resources').id;
        if (!problems) return { tool: 'fleetwright_validate_config', input: { partId } };
        if (!saved) return { tool: 'fleetwright_get_part_config', input: { partId } };
        const config = String(saved.config).replace('"wheel"', '"wheels"');
        const input = { partId, version: saved.version, config };
        if (!proposal) return { tool: 'fleetwright_propose_part_config', input };
        return `${String(first(problems, 'diagnostics').message)} I proposed a fix.`;
      });
      assert.match(answer, /wheel\b.* I proposed a fix\.$/);
      const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
      const [modified] = tabs.flatMap(({ input }) =>
        input instanceof vscode.TabInputTextDiff && input.modified.scheme === schemes.document
          ? [input.modified]
          : [],
      );
      assert.ok(modified);
      const document = await vscode.workspace.openTextDocument(modified);
      assert.equal(document.isDirty, true);
      assert.doesNotMatch(document.getText(), /"wheel"/);
      const { part: saved } = await fleet.call((app) => app.getRobotPart({ id: part.partId }));
      assert.match(JSON.stringify(saved?.robotConfig), /"wheel"/);
    } finally {
      await vscode.workspace.getConfiguration().update(settings.agentWrites.key, undefined, Global);
      await vscode.commands.executeCommand('workbench.action.files.revert');
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      await fleet.deleteMachine(machine);
    }
  });
});

type Data = Readonly<Record<string, unknown>>;

/** Returns the data between the fence lines of an answer. */
function readData(answer: string): Data {
  const json = /<<<untrusted [0-9a-f]+>>>\n(.*)\n/.exec(answer)?.[1];
  assert.ok(json, answer);
  return JSON.parse(json) as Data;
}

function first(data: Data, list: string): Data {
  const [item] = data[list] as readonly Data[];
  assert.ok(item, JSON.stringify(data));
  return item;
}
