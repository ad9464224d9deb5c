import assert from 'node:assert/strict';
import type { JsonObject } from '@bufbuild/protobuf';
import * as vscode from 'vscode';
import { locationId } from '../../src/core/model/ids';
import { schemes } from '../../src/manifest/contributions';
import type { LocationTarget } from '../../src/core/model/resourceTarget';
import { HostFleet } from './support/hostFleet';
import { ScriptedPrompts } from './support/scriptedPrompts';
import { until } from './support/until';

const scope = 'Gothenburg Plant';
/** Machine whose config already has the patch's value before the patch is applied. */
const unchangedMachine = 'amr-02';
/**
 * Machine whose config another user changes between the preview and the application of the patch.
 */
const contestedMachine = 'stretch-wrapper-2';
const bindAddress = ':9443';
/** Job on a resource that no machine has, so each machine gets a problem. */
const jobs = [{ name: 'count', resource: 'nothing-like-it', method: 'Count', schedule: '1h' }];
const patch = JSON.stringify({ network: { bind_address: bindAddress }, jobs });

interface MainPart {
  readonly machine: string;
  readonly id: string;
  readonly name: string;
}

describe('fleetwright.bulk.apply in a real extension host', () => {
  let fleet: HostFleet;
  let prompts: ScriptedPrompts;
  let target: LocationTarget;
  let parts: readonly MainPart[];

  before(async () => {
    fleet = await HostFleet.open();
    prompts = new ScriptedPrompts();
    await findParts();
    await change(unchangedMachine, (config) => ({
      ...config,
      network: { bind_address: bindAddress },
      jobs,
    }));
  });

  after(async () => {
    prompts[Symbol.dispose]();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  /** Finds the main parts of all machines in the plant, at any depth. */
  async function findParts(): Promise<void> {
    const organization = await fleet.findOrganization('Norrvik Automation');
    target = await fleet.findLocation(organization, scope);
    const { locations } = await fleet.call((app) => app.listLocations(organization));
    const inside = new Set<string>([target.locationId]);
    for (let size = 0; size !== inside.size;) {
      size = inside.size;
      for (const { id, parentLocationId } of locations) {
        if (inside.has(parentLocationId)) inside.add(id);
      }
    }
    const found: MainPart[] = [];
    for (const id of inside) {
      for (const machine of await fleet.findMachines({ ...target, locationId: locationId(id) })) {
        const { parts: all } = await fleet.call((app) =>
          app.getRobotParts({ robotId: machine.machineId }),
        );
        const main = all.find(({ mainPart }) => mainPart);
        assert.ok(main);
        found.push({ machine: machine.name, id: main.id, name: main.name });
      }
    }
    parts = found;
  }

  function findPart(machine: string): MainPart {
    return parts.find((part) => part.machine === machine) ?? assert.fail(machine);
  }

  async function readConfig({ id }: MainPart): Promise<JsonObject> {
    const { part } = await fleet.call((app) => app.getRobotPart({ id }));
    return part?.robotConfig ?? {};
  }

  async function change(machine: string, edit: (config: JsonObject) => JsonObject): Promise<void> {
    const { id, name } = findPart(machine);
    const robotConfig = edit(await readConfig({ machine, id, name }));
    await fleet.call((app) => app.updateRobotPart({ id, name, robotConfig }));
  }

  async function patched(): Promise<string[]> {
    const configs = await Promise.all(parts.map(readConfig));
    return parts
      .filter((_, index) => {
        const network = configs[index]?.network as JsonObject | undefined;
        return network?.bind_address === bindAddress;
      })
      .map(({ machine }) => machine);
  }

  /** Returns the text of each problem in the preview. */
  async function listMarkedTexts(): Promise<string[]> {
    const marked = vscode.languages
      .getDiagnostics()
      .filter(([uri]) => uri.scheme === schemes.bulk)
      .map(async ([uri, diagnostics]) => {
        const document = await vscode.workspace.openTextDocument(uri);
        return diagnostics.map(({ range }) => document.getText(range));
      });
    return (await Promise.all(marked)).flat();
  }

  /** Waits until the preview shows all differences. */
  async function previewed(label: string): Promise<void> {
    await until(`the preview "${label}"`, () =>
      vscode.window.tabGroups.all
        .flatMap(({ tabs }) => tabs)
        .some((tab) => tab.label.startsWith(label)),
    );
  }

  it('prompts for a merge patch, machines, and parts, and previews before it writes', async () => {
    assert.equal(parts.length, 21);
    void vscode.commands.executeCommand('fleetwright.bulk.apply', target);
    await prompts.pick('', 'Write a JSON Merge Patch');
    await until('the editor of the patch', () => {
      return vscode.window.activeTextEditor?.document.isUntitled === true;
    });
    const editor = vscode.window.activeTextEditor;
    assert.ok(editor);
    await editor.edit((edits) => {
      edits.replace(new vscode.Range(0, 0, editor.document.lineCount, 0), patch);
    });
    await prompts.message('In the merge patch', 'Continue');
    await prompts.acceptChecked('', parts.length);
    await prompts.pick('', `The Main Part of Each Machine (${parts.length})`);
    await previewed('Preview: Apply to 20 Machines');
    await until('a changed config in the preview', () =>
      vscode.workspace.textDocuments.some(
        (document) =>
          document.uri.scheme !== 'untitled' &&
          document.getText().includes(`"bind_address": "${bindAddress}"`),
      ),
    );
    assert.deepEqual(await patched(), [unchangedMachine]);
  });

  it('marks the problem that the patch adds to each machine, and lists them again', async () => {
    const marked = await listMarkedTexts();
    assert.deepEqual(
      marked,
      marked.map(() => '"nothing-like-it"'),
    );
    assert.equal(marked.length, 20);
    await prompts.message(/The change adds 20 problems to 20 configs/, 'View Problems');
  });

  it('writes all configs except the one that another user changed, and reports it', async () => {
    await change(contestedMachine, (config) => ({ ...config, witness: true }));
    const question = /20 configs will change as shown.*1 config is already up to date/;
    await prompts.message(question, 'Apply to 20 Machines');
    await until('the report', () => {
      const { document } = vscode.window.activeTextEditor ?? {};
      return document?.fileName.endsWith('Report.txt') === true;
    });
    const report = vscode.window.activeTextEditor?.document.getText() ?? '';
    const [, failed = ''] = report.split('Failed (1)');
    assert.match(failed.trim(), new RegExp(`^${contestedMachine} › `));
    assert.match(failed, /changed after the preview/);
    const others = parts.map(({ machine }) => machine).filter((one) => one !== contestedMachine);
    assert.deepEqual(await patched(), others);
    assert.deepEqual(await listMarkedTexts(), []);
  });

  it('retries that config on top of the other change, after another preview', async () => {
    await prompts.message(/19 done, 1 unchanged, 1 failed/, 'Retry Failed');
    await previewed('Preview: Apply to 1 Machine');
    await prompts.message(/1 config will change as shown/, 'Apply to 1 Machine');
    await prompts.message(/Apply Merge Patch: 1 done\./);
    const config = await readConfig(findPart(contestedMachine));
    assert.equal((config.network as JsonObject).bind_address, bindAddress);
    assert.equal(config.witness, true);
    assert.equal((await patched()).length, parts.length);
  });
});
