import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { notifyReviewNeeded } from '../../src/host/platform/deploy/notifyReviewNeeded';
import { ScriptedPrompts } from './support/scriptedPrompts';
import { until } from './support/until';

describe('an edit that deploys a module in an extension host', () => {
  let folder: string;
  let document: vscode.TextDocument;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'fleetwright-test-'));
    const path = join(folder, 'config.json');
    writeFileSync(path, '{}');
    document = await vscode.workspace.openTextDocument(path);
    const editor = await vscode.window.showTextDocument(document);
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 1), ' '));
  });

  afterEach(async () => {
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    rmSync(folder, { recursive: true });
  });

  it('offers to save the document', async () => {
    using prompts = new ScriptedPrompts();
    notifyReviewNeeded(document, 'acme:arm 1.0.0', { wasOpen: false });
    await prompts.message('acme:arm 1.0.0 is in config.json, which has unsaved changes.', 'Save');
    await until('a saved document', () => !document.isDirty);
    assert.equal(readFileSync(document.uri.fsPath, 'utf8'), '{ }');
  });

  it('offers to compare with the saved text', async () => {
    using prompts = new ScriptedPrompts();
    notifyReviewNeeded(document, 'acme:arm 1.0.0', { wasOpen: false });
    await prompts.message('acme:arm 1.0.0', 'Show Changes');
    await until('a comparison', () => {
      const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
      return input instanceof vscode.TabInputTextDiff && input.modified.path === document.uri.path;
    });
    assert.equal(document.isDirty, true);
  });
});
