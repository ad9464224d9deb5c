import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { saveQuery } from '../../src/host/features/query/savedQueries';
import { ScriptedPrompts } from './support/scriptedPrompts';

describe('queries in files', () => {
  let folder: string;
  let prompts: ScriptedPrompts;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'fleetwright-test-'));
    prompts = new ScriptedPrompts();
  });

  afterEach(async () => {
    prompts[Symbol.dispose]();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    rmSync(folder, { recursive: true });
  });

  it('replace a file whose name the user did not select only after a confirmation', async () => {
    const existing = join(folder, 'report.fleet.sql');
    writeFileSync(existing, 'SELECT 1');
    const selected = vscode.Uri.file(join(folder, 'report.sql'));
    Object.assign(vscode.window, { showSaveDialog: () => Promise.resolve(selected) });
    const saved: string[] = [];
    const save = (): Promise<void> =>
      saveQuery({ language: 'sql', text: 'SELECT 2' }, ({ fsPath }) => {
        saved.push(fsPath);
        return Promise.resolve();
      });

    const declined = save();
    (await prompts.next('Replace "report.fleet.sql"?')).leave();
    await assert.rejects(declined);
    assert.equal(readFileSync(existing, 'utf8'), 'SELECT 1');
    assert.deepEqual(saved, []);

    const agreed = save();
    await prompts.confirm('Replace "report.fleet.sql"?', 'Replace');
    await agreed;
    assert.equal(readFileSync(existing, 'utf8'), 'SELECT 2');
    assert.deepEqual(saved, [existing]);
  });
});
