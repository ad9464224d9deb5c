import assert from 'node:assert/strict';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { fromRoot } from '../../scripts/support/paths';
import { ChosenPlatforms } from '../../src/host/features/modules/build/chosenPlatforms';
import { LocalRuns } from '../../src/host/features/modules/build/localRuns';
import { generatedInto } from '../support/generatedModule';
import { MemoryKeyValue } from '../support/memoryPorts';
import { waitUntil } from '../support/waitUntil';
import { ScriptedPrompts } from './support/scriptedPrompts';

const MENU = 'Local Run of acme:weather:station';

describe('Run Module Locally in a real extension host', () => {
  const [workspace] = vscode.workspace.workspaceFolders ?? [];
  const path = process.env.PATH;
  let prompts: ScriptedPrompts;
  let folder: string;
  let runs: LocalRuns;
  let lines: string[];
  let errors: string[];

  before(async () => {
    await vscode.extensions.getExtension('fleetwright.fleetwright')?.activate();
    // Lets the module run with the extension host's Node.js.
    process.env.PATH = `${dirname(process.execPath)}${delimiter}${path ?? ''}`;
  });

  after(() => {
    process.env.PATH = path;
  });

  beforeEach(() => {
    assert.ok(workspace);
    folder = mkdtempSync(join(workspace.uri.fsPath, "it's $(a) local run-"));
    prompts = new ScriptedPrompts();
    [lines, errors] = [[], []];
    runs = newRuns(true);
  });

  afterEach(async () => {
    runs.dispose();
    prompts[Symbol.dispose]();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    rmSync(folder, { recursive: true, force: true });
  });

  function newRuns(isTrusted: boolean, runProgram = fromRoot('dist', 'moduleRun.js')): LocalRuns {
    const dist = fromRoot('dist');
    return new LocalRuns({
      commands: { register: () => assert.fail(), execute: () => Promise.resolve() },
      program: join(dist, 'cli.js'),
      runProgram,
      attributesFolder: join(folder, 'storage'),
      isTrusted: () => isTrusted,
      chosen: new ChosenPlatforms(new MemoryKeyValue()),
      announced: new Set(),
      documents: {
        add: (text, name) => {
          writeFileSync(join(folder, name), text);
          return vscode.Uri.file(join(folder, name));
        },
        remove: () => undefined,
      },
      presentError: (error) => errors.push(String(error)),
      createChannel: () => ({
        append: (text) => void lines.push(...text.trimEnd().split('\n')),
        replace: (text) => (lines = text.trimEnd().split('\n')),
        show: () => undefined,
        dispose: () => undefined,
      }),
    });
  }

  const inModule = (...segments: string[]): string => join(folder, 'module', ...segments);
  const manifest = (): vscode.Uri => vscode.Uri.file(inModule('meta.json'));
  const output = (): string => lines.join('\n');

  /** Changes fields of the manifest. */
  function change(values: object): void {
    const text = JSON.parse(readFileSync(inModule('meta.json'), 'utf8')) as object;
    writeFileSync(inModule('meta.json'), JSON.stringify({ ...text, ...values }));
  }

  /** Generates a module that can be built with the packages of this repository. */
  function generate(): void {
    symlinkSync(fromRoot('node_modules'), join(folder, 'node_modules'));
    generatedInto(inModule(), 'sensor', 'typescript');
    const node = `"${dirname(process.execPath)}:${fromRoot('node_modules', '.bin')}:$PATH"`;
    const build = `PATH=${node}; buf generate && node build.mjs && echo built >> ../builds`;
    change({ build: { build, path: 'dist/archive.tar.gz' } });
  }

  const countBuilds = (): number =>
    readFileSync(join(folder, 'builds'), 'utf8').trim().split('\n').length;

  it('builds the module, starts it, applies saved attributes, shows responses, and stops it', async () => {
    generate();
    const first = runs.run(manifest());
    await prompts.pick(MENU, 'GetReadings');
    await first;
    assert.match(
      output(),
      /^> GetReadings \{\}\n\{\n {2}"readings": \{\n {4}"temperature_celsius": [12]\d/m,
    );

    const shown = vscode.window.activeTextEditor?.document;
    assert.equal(shown?.languageId, 'json');
    assert.match(shown.getText(), /"temperature_celsius": [12]\d/);

    const editing = runs.run(undefined);
    await prompts.pick(MENU, 'Edit Attributes');
    await editing;
    const editor = vscode.window.activeTextEditor;
    assert.ok(editor);
    const fullRange = new vscode.Range(0, 0, editor.document.lineCount, 0);
    const save = async (text: string): Promise<void> => {
      await editor.edit((edit) => edit.replace(fullRange, text));
      await editor.document.save();
    };
    await save('{ "offset_celsius": "warm" }');
    await prompts.message(/rejected the attributes: .*has to be a number, not "warm"/);
    await save('{ "offset_celsius": 200 }');
    await waitUntil(() => output().match(/^Configured acme/gm)?.length === 2);

    const commanding = runs.run(manifest());
    await prompts.pick(MENU, 'DoCommand');
    await prompts.validates('Call DoCommand', '{ "command": ', 'Enter a JSON object.');
    await prompts.enterText('Call DoCommand', '{ "command": { "blink": 2 } }');
    await commanding;
    assert.match(output(), /"received": \{\n\s+"blink": 2\n/);

    const restarting = runs.run(manifest());
    await prompts.pick(MENU, 'Restart Module');
    await prompts.pick(MENU, 'GetReadings');
    await restarting;
    assert.match(output(), /"temperature_celsius": 2[12]\d[^]*$/);
    assert.equal(countBuilds(), 1);

    const stopping = runs.run(manifest());
    await prompts.pick(MENU, 'Stop Module');
    await stopping;
    assert.equal(lines.at(-1), 'Stopped acme:weather');
    assert.deepEqual(errors, []);
  });

  it('explains rejected attributes at the start, and offers to edit them', async () => {
    generate();
    // An earlier run creates the folder for the attributes.
    const first = runs.run(manifest());
    await prompts.pick(MENU, 'Stop Module');
    await first;
    const [digest = ''] = readdirSync(join(folder, 'storage'));
    writeFileSync(join(folder, 'storage', digest, 'attributes.json'), '{ "offset_celsius": [] }');
    await runs.run(manifest());
    await prompts.message(/rejected the attributes/, 'Edit Attributes');
    await waitUntil(
      () => vscode.window.activeTextEditor?.document.fileName.endsWith('attributes.json') === true,
    );
    assert.ok(lines.some((line) => line.includes('"offset_celsius" has to be a number')));
  });

  it('reports a module that exits', async () => {
    generatedInto(inModule(), 'sensor', 'typescript');
    change({ build: undefined });
    writeFileSync(inModule('run.sh'), '#!/bin/sh\necho no sensor on the bus\nexit 3\n');
    await assert.rejects(runs.run(manifest()), {
      message: 'The module exited before it was ready (exit code 3).\nno sensor on the bus',
    });
    assert.ok(lines.includes('no sensor on the bus'));
  });

  it('stops after a failed build, and starts nothing', async () => {
    generatedInto(inModule(), 'sensor', 'typescript');
    change({ build: { build: 'exit 4', path: 'dist/archive.tar.gz' } });
    await assert.rejects(runs.run(manifest()), {
      message: /^The build of acme:weather failed with exit code 4\./,
    });
    assert.deepEqual(lines, []);
  });

  it('names the missing parts of a manifest', async () => {
    generatedInto(inModule(), 'sensor', 'typescript');
    change({ models: [] });
    await assert.rejects(runs.run(manifest()), { message: /^acme:weather lists no models\./ });
    change({
      models: [{ api: 'rdk:component:sensor', model: 'acme:weather:station' }],
      entrypoint: '',
    });
    await assert.rejects(runs.run(manifest()), {
      message: /has no entrypoint\. In "entrypoint", enter/,
    });
  });

  describe('with a stand-in for the program that runs modules', () => {
    /**
     * Turns the module into a program that runs code at startup.
     * @param onStart the code, which can use the request as `request`
     */
    function useProgram(onStart: string): void {
      generatedInto(inModule(), 'sensor', 'typescript');
      change({ build: undefined });
      const program = join(folder, 'program.cjs');
      writeFileSync(
        program,
        `require('node:fs').writeFileSync(${JSON.stringify(join(folder, 'id'))}, String(process.pid));
        process.once('disconnect', () => process.exit());
        process.on('message', (request) => { ${onStart} });`,
      );
      runs.dispose();
      runs = newRuns(true, program);
    }

    it('reports a module that exits as soon as it is ready, and starts it again', async () => {
      useProgram(`
        process.send({ kind: 'answer', id: request.id, value: { methods: [] } });
        process.send({ kind: 'exit', problem: { kind: 'exited', exit: 'exit code 3' } });`);
      for (let starts = 1; starts <= 2; starts += 1) {
        await assert.rejects(runs.run(manifest()), { message: /exit code 3/ });
        assert.equal(lines.filter((line) => line.startsWith('Starting ')).length, starts);
      }
    });

    it('stops a module that is starting when the extension is deactivated', async () => {
      useProgram('');
      const starting = runs.run(manifest());
      const canceled = assert.rejects(starting, { kind: 'canceled' });
      const id = join(folder, 'id');
      await waitUntil(() => existsSync(id) && readFileSync(id, 'utf8') !== '');
      runs.dispose();
      await canceled;
    });
  });

  it('starts nothing in an untrusted workspace', async () => {
    generatedInto(inModule(), 'sensor', 'typescript');
    const untrusted = newRuns(false);
    await assert.rejects(untrusted.run(manifest()), { kind: 'permission', action: 'manageTrust' });
    untrusted.dispose();
    assert.ok(!existsSync(join(folder, 'storage')));
  });
});
