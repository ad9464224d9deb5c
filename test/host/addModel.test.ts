import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { generatedInto } from '../support/generatedModule';
import { ScriptedPrompts } from './support/scriptedPrompts';

describe('Add Model to Module in a real extension host', () => {
  const [workspace] = vscode.workspace.workspaceFolders ?? [];
  let prompts: ScriptedPrompts;
  let folder: string;

  beforeEach(() => {
    assert.ok(workspace);
    folder = mkdtempSync(join(workspace.uri.fsPath, 'more-models-'));
    prompts = new ScriptedPrompts();
  });

  afterEach(async () => {
    prompts[Symbol.dispose]();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    rmSync(folder, { recursive: true, force: true });
  });

  const inModule = (...path: string[]): string => join(folder, ...path);
  const read = (path: string): string => readFileSync(inModule(path), 'utf8');

  /** Runs the command as the explorer's menu does. */
  function addModel(): Thenable<unknown> {
    const manifest = vscode.Uri.file(inModule('meta.json'));
    return vscode.commands.executeCommand('fleetwright.module.addModel', manifest);
  }

  it('adds code, registration, and manifest entry in TypeScript, and preserves all other text', async () => {
    generatedInto(folder, 'sensor', 'typescript');
    const commented = read('meta.json').replace('"models"', '// What it serves.\n  "models"');
    writeFileSync(inModule('meta.json'), commented);
    const main = read('src/main.ts');

    const running = addModel();
    await prompts.pick('API of the model', 'rdk:component:servo');
    await prompts.validates('Name of the model', 'station', 'already has a model with this name');
    await prompts.enterText('Name of the model', 'vane');
    await prompts.message('Added the model');
    await running;

    const manifest = read('meta.json');
    const [entry = ''] = /,\n {4}\{[^}]*:vane"[^}]*\}/.exec(manifest) ?? [];
    assert.equal(manifest.replace(entry, ''), commented);
    assert.match(entry, /"api": "rdk:component:servo"/);
    const imported = 'import { vaneServo } from "./vaneServo";\n';
    assert.equal(
      read('src/main.ts'),
      main.replace('\n\n', `\n${imported}\n`).replace('Sensor]', 'Sensor, vaneServo]'),
    );
    assert.match(read('src/vaneServo.ts'), /class VaneServo implements/);
    assert.ok(existsSync(inModule('proto/component/servo/v1/servo.proto')));
    assert.equal(
      vscode.window.activeTextEditor?.document.uri.fsPath,
      vscode.Uri.file(inModule('src/vaneServo.ts')).fsPath,
    );
  });

  it('adds a model in Python, and offers only APIs that it can generate', async () => {
    generatedInto(folder, 'sensor', 'python');
    const running = addModel();
    const apis = await prompts.next('API of the model');
    assert.ok(!apis.choices().some((choice) => choice.includes('rdk:component:switch')));
    await prompts.pick('API of the model', 'rdk:service:vision');
    await prompts.enterText('Name of the model', 'eye');
    await prompts.message('Added the model');
    await running;
    assert.match(
      read('src/main.py'),
      /^# Importing.*\nfrom \.eye_vision import EyeVision {2}# noqa: F401\nfrom \.station_sensor /m,
    );
    const { models } = JSON.parse(read('meta.json')) as { models: { model: string }[] };
    assert.deepEqual(
      models.map(({ model }) => model.split(':').at(-1)),
      ['station', 'eye'],
    );
    assert.match(read('src/eye_vision.py'), /class EyeVision\(Vision, EasyResource\)/);
  });

  it('adds nothing to a module that starts in another way', async () => {
    generatedInto(folder, 'sensor', 'typescript');
    writeFileSync(inModule('src', 'main.ts'), 'import "./server";\n');
    const manifest = read('meta.json');
    void addModel();
    await prompts.pick('API of the model', 'rdk:component:servo');
    await prompts.enterText('Name of the model', 'vane');
    await prompts.message(/doesn't list models in the same way as a generated module/);
    assert.equal(read('meta.json'), manifest);
    assert.ok(!existsSync(inModule('src', 'vaneServo.ts')));
  });
});
