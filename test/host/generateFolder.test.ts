import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { pickParentFolder } from '../../src/host/features/modules/generate/generateModule';
import { ScriptedPrompts } from './support/scriptedPrompts';

describe('the folder of a generated module in an extension host', () => {
  const workspace = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? assert.fail();
  const manifest = join(workspace, 'meta.json');

  afterEach(() => rmSync(manifest, { force: true }));

  async function offered(): Promise<readonly string[]> {
    using prompts = new ScriptedPrompts();
    const picking = pickParentFolder('wheel').catch(() => undefined);
    const list = await prompts.next('Create Module Project');
    await prompts.filled(list);
    const choices = list.choices();
    list.leave();
    await picking;
    return choices;
  }

  it('is created in the workspace', async () => {
    const [first = ''] = await offered();
    assert.ok(first.endsWith(join(workspace, 'wheel')), first);
  });

  it('is created next to a workspace that is a module itself', async () => {
    writeFileSync(manifest, '{}');
    const [first = '', second = ''] = await offered();
    assert.ok(first.endsWith(join(dirname(workspace), 'wheel')), first);
    assert.match(second, /inside another module/);
  });
});
