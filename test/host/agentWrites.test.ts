import assert from 'node:assert/strict';
import type { JsonObject } from '@bufbuild/protobuf';
import * as vscode from 'vscode';
import { agentTools } from '../../src/core/agentTools/agentTools';
import type { MachineTarget } from '../../src/core/model/resourceTarget';
import { replaceText } from '../../src/host/platform/documents/replaceText';
import type { ContextKey } from '../../src/manifest/contextKeys';
import { schemes, settings } from '../../src/manifest/contributions';
import { HostFleet } from './support/hostFleet';
import { ScriptedPrompts } from './support/scriptedPrompts';
import { until } from './support/until';

const ARM = { name: 'arm', api: 'rdk:component:arm', model: 'fake' };
const EYE = { name: 'eye', api: 'rdk:component:camera', model: 'fake' };

const writeTools = agentTools.filter((tool) => tool.operation === 'write');

const PERMISSIONS_KEY = 'fleetwright.agentPermissions' satisfies ContextKey;

describe('changes by agents in a real extension host', () => {
  const { Global } = vscode.ConfigurationTarget;
  const configuration = vscode.workspace.getConfiguration();
  let fleet: HostFleet;
  let prompts: ScriptedPrompts;
  let machine: MachineTarget;
  let partId: string;
  /** Value of the context key in the conditions of the tools. */
  let permissions = '';
  const { executeCommand } = vscode.commands;

  before(async () => {
    fleet = await HostFleet.open();
    Object.assign(vscode.commands, {
      executeCommand: (command: string, ...args: readonly unknown[]) => {
        const [key, value] = args;
        if (key === PERMISSIONS_KEY) permissions = String(value);
        return executeCommand(command, ...args);
      },
    });
    prompts = new ScriptedPrompts();
    const organization = await fleet.findOrganization('Norrvik Automation');
    const plant = await fleet.findLocation(organization, 'Gothenburg Plant');
    const created = await fleet.createMachine(plant, 'agent-edited', { components: [ARM] });
    machine = created.machine;
    partId = created.part.partId;
  });

  after(async () => {
    await configuration.update('files.autoSave', 'off', Global);
    await configuration.update('files.autoSaveDelay', undefined, Global);
    await configuration.update(settings.agentWrites.key, undefined, Global);
    prompts[Symbol.dispose]();
    Object.assign(vscode.commands, { executeCommand });
    await executeCommand('workbench.action.closeAllEditors');
    await fleet.deleteMachine(machine);
  });

  async function call(name: string, input: object): Promise<string> {
    const options = { input, toolInvocationToken: undefined };
    const { content } = await vscode.lm.invokeTool(`fleetwright_${name}`, options);
    return content
      .map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : ''))
      .join('');
  }

  function listOffered(): readonly string[] {
    return writeTools
      .filter(({ permission }) => permissions.includes(`;${permission};`))
      .map(({ name }) => name);
  }

  async function readNames(): Promise<readonly unknown[]> {
    const { part } = await fleet.call((app) => app.getRobotPart({ id: partId }));
    const { components } = part?.robotConfig ?? {};
    return (components as JsonObject[]).map(({ name }) => name);
  }

  async function readVersion(): Promise<string> {
    const text = await call('get_part_config', { partId });
    return /"version":"([^"]+)"/.exec(text)?.[1] ?? assert.fail(text);
  }

  async function propose(components: readonly object[]): Promise<string> {
    const config = JSON.stringify({ components }, undefined, 2);
    return call('propose_part_config', { partId, version: await readVersion(), config });
  }

  function findDocument(): vscode.TextDocument {
    const found = vscode.workspace.textDocuments.find(
      ({ uri, isClosed }) =>
        !isClosed && uri.scheme === schemes.document && uri.path.includes(partId),
    );
    return found ?? assert.fail('the config is not open');
  }

  function isRejected({ uri }: vscode.TextDocument): boolean {
    return vscode.languages
      .getDiagnostics(uri)
      .some(({ message }) => message.includes('An agent proposed the changes.'));
  }

  it('are neither offered nor made by default', async () => {
    assert.deepEqual(listOffered(), []);
    const text = await call('restart_part', { partId });
    assert.match(text, /failed \(permission\)[^]*fleetwright\.agents\.allowWrites/);
  });

  it('are offered after the user allows them for the connection', async () => {
    await configuration.update(settings.agentWrites.key, ['*'], Global);
    await until('all tools', () => listOffered().length === writeTools.length);
  });

  it('to a config open it with unsaved changes and their differences', async () => {
    const text = await propose([ARM, EYE]);
    assert.match(text, /Nothing was saved/);
    assert.match(text, /"isSaved":false/);
    assert.match(text, /"changes":\["added components\.eye"\]/);
    const document = findDocument();
    assert.equal(document.isDirty, true);
    assert.match(document.getText(), /"eye"/);
    const isCompared = vscode.window.tabGroups.all.some(({ tabs }) =>
      tabs.some(
        ({ input }) =>
          input instanceof vscode.TabInputTextDiff && input.modified.path === document.uri.path,
      ),
    );
    assert.ok(isCompared);
    assert.deepEqual(await readNames(), ['arm']);
  });

  it('to a config are not saved by Auto Save', async () => {
    const document = findDocument();
    await configuration.update('files.autoSaveDelay', 100, Global);
    await configuration.update('files.autoSave', 'afterDelay', Global);
    await replaceText(document, `${document.getText()}\n`);
    await until('a rejected Auto Save', () => isRejected(document));
    assert.equal(document.isDirty, true);
    assert.deepEqual(await readNames(), ['arm']);
    await configuration.update('files.autoSave', 'off', Global);
  });

  it('to a config are not saved by Auto Save after Undo and Redo', async () => {
    const document = findDocument();
    await vscode.window.showTextDocument(document);
    while (document.isDirty) await vscode.commands.executeCommand('undo');
    assert.doesNotMatch(document.getText(), /"eye"/);
    await until('no problem', () => !isRejected(document));
    await vscode.commands.executeCommand('redo');
    assert.match(document.getText(), /"eye"/);
    await configuration.update('files.autoSave', 'afterDelay', Global);
    await until('a rejected Auto Save', () => isRejected(document));
    assert.equal(document.isDirty, true);
    assert.deepEqual(await readNames(), ['arm']);
    await configuration.update('files.autoSave', 'off', Global);
  });

  it('to a config are saved by a person', async () => {
    const document = findDocument();
    assert.equal(await document.save(), true);
    assert.deepEqual(await readNames(), ['arm', 'eye']);
  });

  it('to a config are not saved without a reason after a person saved without changes', async () => {
    const document = findDocument();
    await vscode.window.showTextDocument(document);
    await executeCommand('workbench.action.files.save');
    assert.match(await propose([ARM, EYE, { ...EYE, name: 'ear' }]), /Nothing was saved/);
    const text = Buffer.from(document.getText());
    await assert.rejects(async () => vscode.workspace.fs.writeFile(document.uri, text));
    assert.deepEqual(await readNames(), ['arm', 'eye']);
    await executeCommand('workbench.action.files.revert');
  });

  it('replace unsaved changes of a person only after consent', async () => {
    const document = findDocument();
    await replaceText(document, document.getText().replace('"eye"', '"mine"'));
    const declined = propose([EYE]);
    const prompt = await prompts.next('Replace your unsaved changes');
    prompt.leave();
    assert.match(await declined, /declined the change/);
    assert.match(document.getText(), /"mine"/);
    const agreed = propose([ARM]);
    await prompts.confirm('Replace your unsaved changes', 'Replace');
    assert.match(await agreed, /Nothing was saved/);
    assert.doesNotMatch(document.getText(), /"mine"/);
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('undo');
    assert.match(document.getText(), /"mine"/);
    assert.deepEqual(await readNames(), ['arm', 'eye']);
    await vscode.commands.executeCommand('workbench.action.files.revert');
  });

  it('to a config that VS Code rejects leave no mark that keeps Auto Save from saving it', async () => {
    const { applyEdit } = vscode.workspace;
    Object.assign(vscode.workspace, { applyEdit: () => Promise.resolve(false) });
    try {
      assert.match(await propose([{ ...ARM, name: 'rejected' }]), /failed \(conflict\)/);
    } finally {
      Object.assign(vscode.workspace, { applyEdit });
    }
    const document = findDocument();
    await replaceText(document, `${document.getText()}\n`);
    await configuration.update('files.autoSave', 'afterDelay', Global);
    await until('a saved document', () => !document.isDirty);
    await configuration.update('files.autoSave', 'off', Global);
  });

  it('of other kinds need consent in a dialog of the extension, as the command does', async () => {
    const [part] = await fleet.findParts(machine);
    const command = vscode.commands.executeCommand('fleetwright.part.markForRestart', part);
    const ofCommand = await prompts.next('of "agent-edited"?');
    const question = ofCommand.text();
    ofCommand.leave();
    await command;
    const declined = call('restart_part', { partId });
    const prompt = await prompts.next(/An agent requests this change\./);
    assert.ok(prompt.text().startsWith(question), `${prompt.text()} / ${question}`);
    prompt.leave();
    assert.match(await declined, /declined the change, so nothing was changed/);
    assert.match(await call('restart_part', { partId }), /just declined this change/);
    const organization = await fleet.findOrganization('Norrvik Automation');
    const plant = await fleet.findLocation(organization, 'Gothenburg Plant');
    const other = await fleet.createMachine(plant, 'agent-restarted', {});
    const agreed = call('restart_part', { partId: other.part.partId });
    await prompts.confirm('of "agent-restarted"?', 'Restart');
    await agreed;
    await fleet.deleteMachine(other.machine);
    assert.match(await agreed, /The restart was requested/);
  });

  it('are neither offered nor made through a read-only connection', async () => {
    await vscode.commands.executeCommand('fleetwright.connection.makeReadOnly');
    await until('no tools', () => listOffered().length === 0);
    assert.match(await call('restart_part', { partId }), /failed \(permission\)[^]*read-only/);
    const allowed = vscode.commands.executeCommand('fleetwright.connection.allowChanges');
    await prompts.confirm(/allow changes/i, 'Allow Changes');
    await allowed;
    await until('all tools', () => listOffered().length === writeTools.length);
  });
});
