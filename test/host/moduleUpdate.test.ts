import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { organizationId } from '../../src/core/model/ids';
import type { RegistryItem } from '../../src/core/model/registryItem';
import { updateModule } from '../../src/host/features/modules/commands/updateModule';
import { type MemoryFleet, openMemoryFleet } from '../support/memoryFleet';
import { TestSessions } from '../support/testSessions';
import { ScriptedPrompts } from './support/scriptedPrompts';

const failIfCalled = (): never => assert.fail('not expected here');

describe('updating a module from its manifest in an extension host', () => {
  const [workspace] = vscode.workspace.workspaceFolders ?? [];
  let fleet: MemoryFleet;
  let sessions: TestSessions;
  let folder: string;
  let module: RegistryItem;

  beforeEach(async () => {
    assert.ok(workspace);
    folder = mkdtempSync(join(workspace.uri.fsPath, 'updated-module-'));
    fleet = await openMemoryFleet();
    sessions = new TestSessions(fleet);
    const { registry } = sessions.stores();
    const { id } = await registry.createModule(organizationId(fleet.organizationId), 'arm');
    module = await registry.get(id);
  });

  afterEach(async () => {
    rmSync(folder, { recursive: true, force: true });
    sessions.dispose();
    await fleet.close();
  });

  /** Runs the command on a manifest with this text. */
  function update(text: string): Promise<void> {
    const path = join(folder, 'meta.json');
    writeFileSync(path, text);
    const tools = {
      sessions,
      pickTarget: failIfCalled,
      reveal: failIfCalled,
      commands: { register: failIfCalled, execute: failIfCalled },
    };
    return updateModule(tools, vscode.Uri.file(path));
  }

  it('rejects a manifest that is truncated or has values of another type', async () => {
    using _prompts = new ScriptedPrompts();
    const start = `{"module_id": "${module.id}", "entrypoint": "main", "models": [`;
    await assert.rejects(update(start), {
      kind: 'invalid',
      message:
        /^Can't update the module from updated-module-\w+\/meta\.json\. .*Nothing was updated\.$/,
    });
    await assert.rejects(update(`${start}], "description": 5, "visibility": "everyone"}`), {
      kind: 'invalid',
      message: /^Can't update .*description.*visibility.*Nothing was updated\.$/,
    });
    const after = await sessions.stores().registry.get(module.id, { fresh: true });
    assert.equal(after.entrypoint, module.entrypoint);
  });

  it('offers to register the module of a manifest without an ID', async () => {
    using prompts = new ScriptedPrompts();
    const updating = update('{"entrypoint": "main"}');
    (await prompts.next('This manifest has no module_id yet.')).leave();
    await assert.rejects(updating, { kind: 'canceled' });
  });
});
