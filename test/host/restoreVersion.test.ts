import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { createHistorySource } from '../../src/core/documents/documentSources';
import { organizationId } from '../../src/core/model/ids';
import type { OpenDocument } from '../../src/host/features/documents/conflictResolver';
import type { DocumentOpener } from '../../src/host/features/documents/documentOpener';
import { RevisionActions } from '../../src/host/features/documents/revisionActions';
import type { RevisionContent } from '../../src/host/features/documents/revisionContent';
import { openMemoryFleet } from '../support/memoryFleet';
import { TestSessions } from '../support/testSessions';
import { EditorRecorder } from './support/editorRecorder';
import { ScriptedPrompts } from './support/scriptedPrompts';

describe('restoring a version', () => {
  it('replaces nothing that arrives during the confirmation', async () => {
    await using resources = new AsyncDisposableStack();
    const fleet = await openMemoryFleet();
    resources.defer(() => fleet.close());
    const sessions = resources.adopt(new TestSessions(fleet), (it) => it.dispose());
    using prompts = new ScriptedPrompts();
    const recorder = resources.adopt(new EditorRecorder(), (it) => it.dispose());
    const stores = sessions.stores();
    const { id: location } = await stores.locations.create(
      organizationId(fleet.organizationId),
      'Plant',
      undefined,
    );
    const machine = await stores.machines.create(location, 'rover');
    const part = (await stores.parts.list(machine))[0]?.id ?? assert.fail();
    for (const rpm of [1, 2]) {
      fleet.clock.advance(1_000);
      await stores.parts.updateConfig(part, { name: 'main', configText: `{"rpm": ${rpm}}` });
    }
    const subject = { type: 'partConfig', id: part } as const;
    const history = createHistorySource(stores, subject) ?? assert.fail();
    const [latest] = (await history({ limit: 10 })).items;
    assert.ok(latest?.editedOn);
    const key = latest.editedOn;
    const uri = recorder.put('restored.json', '{"rpm": 2}');
    const document = await vscode.workspace.openTextDocument(uri);
    const address = { connectionId: sessions.connectionToFleet.id, subject };
    const opener: Partial<DocumentOpener> = {
      show: () => Promise.resolve({ document, address } as OpenDocument),
    };
    const actions = new RevisionActions(sessions, opener as DocumentOpener, {} as RevisionContent);
    const restore = (): Promise<void> =>
      actions.restore(address, { key, label: '1', time: 'noon' });

    const outdated = restore();
    const prompt = await prompts.next('makes 1 change');
    recorder.put('restored.json', '{"rpm": 2, "pin": 7}');
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('workbench.action.files.revert');
    prompt.accept('Restore');
    await assert.rejects(outdated, /changed in the meantime/);
    assert.match(document.getText(), /"pin": 7/);
    assert.equal(document.isDirty, false);

    const agreed = restore();
    await prompts.confirm('makes 2 changes', 'Restore');
    await agreed;
    assert.deepEqual(JSON.parse(document.getText()), { rpm: 1 });
    assert.equal(document.isDirty, false);
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
  });
});
