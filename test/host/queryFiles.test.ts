import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { organizationId } from '../../src/core/model/ids';
import type { OrganizationTarget } from '../../src/core/model/resourceTarget';
import { FileSettings } from '../../src/host/features/queryFiles/fileSettings';
import { runFile } from '../../src/host/features/queryFiles/runFile';
import { RunProblems } from '../../src/host/features/queryFiles/queryProblems';
import { type MemoryFleet, openMemoryFleet } from '../support/memoryFleet';
import { MemoryKeyValue } from '../support/memoryPorts';
import { TestSessions } from '../support/testSessions';

describe('queries in files', () => {
  let fleet: MemoryFleet;
  let sessions: TestSessions;
  let settings: FileSettings;
  let problems: RunProblems;
  let target: OrganizationTarget;
  let folder: string;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'query-files-'));
    fleet = await openMemoryFleet();
    sessions = new TestSessions(fleet);
    settings = new FileSettings(new MemoryKeyValue());
    problems = new RunProblems();
    target = {
      kind: 'organization',
      name: 'Acme',
      connectionId: sessions.connectionToFleet.id,
      organizationId: organizationId(fleet.organizationId),
    };
  });

  afterEach(async () => {
    problems.dispose();
    settings.dispose();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    sessions.dispose();
    await fleet.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('run at the cursor in the active editor', async () => {
    const file = join(folder, 'two.fleet.sql');
    writeFileSync(file, 'SELECT 1;\nSELECT 2;\n');
    const document = await vscode.workspace.openTextDocument(vscode.Uri.file(file));
    await settings.choose(document.uri, target);
    const ran: string[] = [];
    const run = ({ text }: { readonly text: string }): Promise<undefined> => {
      ran.push(text);
      return Promise.resolve(undefined);
    };
    const tools = { sessions, settings, problems, run, pickTarget: () => assert.fail() };
    for (const [column, line] of [
      [vscode.ViewColumn.One, 0],
      [vscode.ViewColumn.Two, 1],
    ] as const) {
      const editor = await vscode.window.showTextDocument(document, column);
      const cursor = new vscode.Position(line, 3);
      editor.selection = new vscode.Selection(cursor, cursor);
      await runFile(tools, document, undefined);
    }
    assert.deepEqual(ran, ['SELECT 1', 'SELECT 2']);
  });

  it('use the same organization after their folder was renamed', async () => {
    const [before, after] = ['before', 'after it'].map((name) =>
      vscode.Uri.file(join(folder, name)),
    );
    assert.ok(before && after);
    await vscode.workspace.fs.createDirectory(before);
    const [old, moved] = [before, after].map((at) => vscode.Uri.joinPath(at, 'a b.fleet.sql'));
    assert.ok(old && moved);
    await vscode.workspace.fs.writeFile(old, new Uint8Array());
    await settings.choose(old, target);
    const changed = Promise.withResolvers<vscode.Uri>();
    settings.onDidChange((uri) => changed.resolve(uri));
    const edit = new vscode.WorkspaceEdit();
    edit.renameFile(before, after);
    assert.ok(await vscode.workspace.applyEdit(edit));
    assert.equal((await changed.promise).toString(), moved.toString());
    assert.deepEqual(settings.findOrganization(moved), target);
    assert.equal(settings.findOrganization(old), undefined);
  });
});
