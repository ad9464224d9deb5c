import assert from 'node:assert/strict';
import type { JsonObject } from '@bufbuild/protobuf';
import * as vscode from 'vscode';
import type { MachineTarget } from '../../src/core/model/resourceTarget';
import { replaceText } from '../../src/host/platform/documents/replaceText';
import { schemes } from '../../src/manifest/contributions';
import { HostFleet } from './support/hostFleet';
import { ScriptedPrompts } from './support/scriptedPrompts';
import { until } from './support/until';

const ARM = { name: 'save-arm', api: 'rdk:component:arm', model: 'fake' };
const EYE = { name: 'save-eye', api: 'rdk:component:camera', model: 'fake' };

describe('Auto Save of configs in a real extension host', () => {
  const files = vscode.workspace.getConfiguration('files');
  const { Global } = vscode.ConfigurationTarget;
  let fleet: HostFleet;
  let prompts: ScriptedPrompts;
  let machine: MachineTarget;
  let partId: string;
  let document: vscode.TextDocument;

  before(async () => {
    fleet = await HostFleet.open();
    prompts = new ScriptedPrompts();
    const organization = await fleet.findOrganization('Norrvik Automation');
    const plant = await fleet.findLocation(organization, 'Gothenburg Plant');
    const created = await fleet.createMachine(plant, 'auto-saved', { components: [ARM, EYE] });
    machine = created.machine;
    partId = created.part.partId;
    await vscode.commands.executeCommand('fleetwright.machine.openConfig', machine);
    const opened = vscode.window.activeTextEditor?.document;
    assert.ok(opened?.uri.scheme === schemes.document);
    document = opened;
    await files.update('autoSaveDelay', 100, Global);
    await files.update('autoSave', 'afterDelay', Global);
  });

  after(async () => {
    await files.update('autoSave', 'off', Global);
    await files.update('autoSaveDelay', undefined, Global);
    prompts[Symbol.dispose]();
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await fleet.deleteMachine(machine);
  });

  async function readNames(): Promise<readonly unknown[]> {
    const { part } = await fleet.call((app) => app.getRobotPart({ id: partId }));
    const { components } = part?.robotConfig ?? {};
    return (components as JsonObject[]).map(({ name }) => name);
  }

  const edit = (...components: object[]): Promise<unknown> =>
    replaceText(document, JSON.stringify({ components }, undefined, 2));

  const isHeld = (): boolean =>
    vscode.languages
      .getDiagnostics(document.uri)
      .some(({ message }) => message.startsWith("Auto Save didn't save this config"));

  it('saves a change without a risk', async () => {
    await edit(ARM, EYE, { ...EYE, name: 'save-ear' });
    await until('the added component', async () => (await readNames()).includes('save-ear'));
    assert.equal(isHeld(), false);
  });

  it('does not save a change that removes a resource, and reports it', async () => {
    await until('the end of the save', () => !document.isDirty);
    await edit(ARM, EYE);
    await until('the problem', isHeld);
    assert.deepEqual(await readNames(), ['save-arm', 'save-eye', 'save-ear']);
  });

  it('saves it after the review', async () => {
    void vscode.commands.executeCommand('fleetwright.document.reviewSave', document.uri);
    await prompts.confirm('It removes 1 resource: "save-ear".', 'Save');
    await until('the end of the save', () => !document.isDirty);
    assert.deepEqual(await readNames(), ['save-arm', 'save-eye']);
    await until('no problem', () => !isHeld());
  });

  // VS Code tells extensions no reason for such a save.
  it('does not save such a change without formatting either', async () => {
    await edit(ARM);
    await until('the problem', isHeld);
    await vscode.commands.executeCommand('workbench.action.files.saveWithoutFormatting');
    assert.deepEqual(await readNames(), ['save-arm', 'save-eye']);
    assert.ok(document.isDirty && isHeld());
    await edit(ARM, EYE);
    await vscode.commands.executeCommand('fleetwright.document.reviewSave', document.uri);
    assert.deepEqual(await readNames(), ['save-arm', 'save-eye']);
    await until('no problem', () => !isHeld());
  });

  // After a failed Auto Save, VS Code doesn't save the document by itself until the user saves it.
  it('resumes after the user saves the config, and reports the unsaved edits until then', async () => {
    const nose = { ...EYE, name: 'save-nose' };
    await edit(EYE);
    await until('the problem', isHeld);
    await edit(ARM, EYE, nose);
    assert.ok(isHeld());
    await vscode.commands.executeCommand('fleetwright.document.reviewSave', document.uri);
    assert.deepEqual(await readNames(), ['save-arm', 'save-eye', 'save-nose']);
    await until('no problem', () => !isHeld());
    await edit(ARM, EYE, nose, { ...EYE, name: 'save-ear' });
    await until('the added component', async () => (await readNames()).includes('save-ear'));
  });
});
