import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { connectionId, organizationId, registryItemId } from '../../src/core/model/ids';
import type { RegistryItemTarget } from '../../src/core/model/resourceTarget';
import { findManifest } from '../../src/host/platform/modules/moduleManifests';

describe('the manifest of a selected module in a real extension host', () => {
  const [workspace] = vscode.workspace.workspaceFolders ?? [];
  let folder: string;

  beforeEach(() => {
    assert.ok(workspace);
    folder = mkdtempSync(join(workspace.uri.fsPath, 'clicked-module-'));
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('is saved before a command uses it', async () => {
    const path = join(folder, 'meta.json');
    const text = JSON.stringify({ module_id: 'acme:clicked', description: 'before' });
    writeFileSync(path, text);
    const document = await vscode.workspace.openTextDocument(path);
    const edit = new vscode.WorkspaceEdit();
    const whole = new vscode.Range(document.positionAt(0), document.positionAt(text.length));
    edit.replace(document.uri, whole, text.replace('before', 'after'));
    assert.ok(await vscode.workspace.applyEdit(edit));
    assert.ok(document.isDirty);

    const found = await findManifest(target('acme:clicked', 'clicked'));
    assert.equal(found?.manifest.description, 'after');
    assert.match(readFileSync(path, 'utf8'), /after/);
  });

  it('is found by the ID of the organization, too', async () => {
    writeFileSync(join(folder, 'meta.json'), JSON.stringify({ module_id: 'org-1:clicked' }));
    const found = await findManifest(target('acme:clicked', 'clicked'));
    assert.equal(found?.manifest.moduleId, 'org-1:clicked');
  });
});

function target(id: string, name: string): RegistryItemTarget {
  return {
    kind: 'registryItem',
    connectionId: connectionId('c'),
    organizationId: organizationId('org-1'),
    itemId: registryItemId(id),
    itemType: 'module',
    name,
  };
}
