import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { MANIFEST_SCHEMA } from '../../src/core/modules/manifest/moduleManifest';
import { organizationId } from '../../src/core/model/ids';
import {
  ManifestDiagnostics,
  ManifestReader,
} from '../../src/host/features/modules/manifest/manifestDiagnostics';
import { PublishedModules } from '../../src/host/features/modules/manifest/publishedModules';
import { openMemoryFleet } from '../support/memoryFleet';
import { TestSessions } from '../support/testSessions';
import { elfHead, elfMachines } from '../unit/core/modules/programHeads';

const EXTENSION = 'fleetwright.fleetwright';
const patienceMs = 10_000;

function getDiagnosticCode({ code }: vscode.Diagnostic): string {
  return typeof code === 'string' ? code : '';
}

describe('module manifests in a real extension host', () => {
  let folder: string;

  before(async () => {
    await vscode.extensions.getExtension(EXTENSION)?.activate();
  });

  beforeEach(() => {
    const workspace = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
    assert.ok(workspace);
    folder = mkdtempSync(join(workspace, 'module-'));
  });

  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    rmSync(folder, { recursive: true });
  });

  function put(file: string, content: string | Uint8Array, mode = 0o644): string {
    const path = join(folder, file);
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, content, { mode });
    return path;
  }

  async function open(
    fields: Readonly<Record<string, unknown>>,
    name = 'meta.json',
  ): Promise<vscode.TextDocument> {
    const manifest = { module_id: 'acme:weather', ...fields };
    const path = put(name, JSON.stringify(manifest, undefined, 2));
    const document = await vscode.workspace.openTextDocument(path);
    await vscode.window.showTextDocument(document);
    return document;
  }

  /**
   * Waits until Fleetwright reports exactly the expected problems for a manifest; returns the
   * problems.
   */
  async function problems(
    document: vscode.TextDocument,
    ...expected: string[]
  ): Promise<readonly vscode.Diagnostic[]> {
    const own = (): vscode.Diagnostic[] =>
      vscode.languages
        .getDiagnostics(document.uri)
        .filter(({ source }) => source === 'Fleetwright');
    const codes = (): string[] => own().map(getDiagnosticCode).sort();
    const expectedCodes = expected.toSorted().join();
    const until = Date.now() + patienceMs;
    while (codes().join() !== expectedCodes && Date.now() < until) await nextChange();
    assert.deepEqual(codes(), expected.toSorted());
    return own();
  }

  /** Waits until the problems of any document change, or until a timeout. */
  async function nextChange(): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(done, 500);
      const listening = vscode.languages.onDidChangeDiagnostics(done);
      function done(): void {
        clearTimeout(timer);
        listening.dispose();
        resolve();
      }
    });
  }

  async function fixes(
    document: vscode.TextDocument,
    { range }: vscode.Diagnostic,
  ): Promise<vscode.CodeAction[]> {
    const kind = vscode.CodeActionKind.QuickFix.value;
    return vscode.commands.executeCommand(
      'vscode.executeCodeActionProvider',
      document.uri,
      range,
      kind,
    );
  }

  async function run(action: vscode.CodeAction | undefined): Promise<void> {
    assert.ok(action);
    if (action.edit) assert.ok(await vscode.workspace.applyEdit(action.edit));
    const { command } = action;
    const values: unknown[] = command?.arguments ?? [];
    if (command) await vscode.commands.executeCommand(command.command, ...values);
  }

  it('show problems while the user types', async () => {
    put('main', elfHead({ machine: elfMachines.amd64 }), 0o755);
    const document = await open({ entrypoint: 'main', build: { arch: ['linux/amd64'] } });
    await problems(document);
    const at = document.getText().indexOf('linux/amd64');
    const edit = new vscode.WorkspaceEdit();
    const range = new vscode.Range(document.positionAt(at), document.positionAt(at + 11));
    edit.replace(document.uri, range, 'linux/aarch64');
    await vscode.workspace.applyEdit(edit);
    const [problem] = await problems(document, 'platformUnknown');
    assert.equal(document.getText(problem?.range), '"linux/aarch64"');
    const [action] = problem ? await fixes(document, problem) : [];
    assert.equal(action?.title, 'Set to "linux/arm64"');
    await run(action);
    await problems(document, 'programPlatform');
  });

  it('update problems when a referenced file is created or deleted', async () => {
    const document = await open({ entrypoint: 'dist/main' });
    await problems(document, 'fileMissing');
    const path = put('dist/main', '#!/bin/sh\n', 0o755);
    await problems(document);
    rmSync(path);
    await problems(document, 'fileMissing');
  });

  it('offer to make files executable, and to create missing scripts', async () => {
    put('main', '#!/bin/sh\n', 0o640);
    const build = { build: './scripts/build.sh' };
    const document = await open({ entrypoint: 'main', build });
    const found = await problems(document, 'fileNotExecutable', 'commandMissing');
    const applyFix = async (code: string, title: string): Promise<void> => {
      const problem = found.find((one) => one.code === code);
      assert.ok(problem);
      const actions = await fixes(document, problem);
      await run(actions.find((one) => one.title === title));
    };
    await applyFix('fileNotExecutable', 'Make main Executable');
    assert.equal(statSync(join(folder, 'main')).mode & 0o777, 0o750);
    await applyFix('commandMissing', 'Create scripts/build.sh');
    assert.equal(statSync(join(folder, 'scripts/build.sh')).mode & 0o111, 0o111);
    await problems(document);
  });

  it('never change files outside of their folder', async () => {
    const outside = join(mkdtempSync(join(tmpdir(), 'fleetwright-outside-')), 'main');
    writeFileSync(outside, '#!/bin/sh\n', { mode: 0o600 });
    symlinkSync(outside, join(folder, 'main'));
    const document = await open({ entrypoint: 'main' });
    const found = await problems(document, 'fileOutside', 'linkOutside');
    for (const problem of found) assert.deepEqual(await fixes(document, problem), []);
    await vscode.commands.executeCommand(
      'fleetwright.moduleManifest.makeExecutable',
      document.uri,
      'main',
    );
    assert.equal(statSync(outside).mode & 0o777, 0o600);
    rmSync(join(outside, '..'), { recursive: true });
  });

  async function lenses(document: vscode.TextDocument): Promise<readonly (string | undefined)[]> {
    const found = await vscode.commands.executeCommand<vscode.CodeLens[]>(
      'vscode.executeCodeLensProvider',
      document.uri,
    );
    return found.map(({ command }) => command?.command);
  }

  it('offer the commands of a module', async () => {
    const rest = ['runLocally', 'uploadBuild', 'update', 'deploy'].map(
      (verb) => `fleetwright.module.${verb}`,
    );
    const build = { build: 'make' };
    assert.deepEqual(await lenses(await open({ build })), ['fleetwright.module.build', ...rest]);
    assert.deepEqual(await lenses(await open({ module_id: '' }, 'new/meta.json')), [
      'fleetwright.module.create',
    ]);
  });

  it('are not confused with similar files', async () => {
    assert.deepEqual(await lenses(await open({}, 'package.json')), []);
    const path = put('meta.json', '{ "title": "of another program", "models": 3 }');
    const document = await vscode.workspace.openTextDocument(path);
    assert.deepEqual(await lenses(document), []);
    await problems(document);
  });

  it('suggest values that a schema cannot include', async () => {
    put('dist/main', '#!/bin/sh\n', 0o755);
    const document = await open({ entrypoint: 'dist/', models: [{ model: '' }] });
    const offered = async (behind: string): Promise<readonly string[]> => {
      const at = document.positionAt(document.getText().indexOf(behind) + behind.length);
      const { items } = await vscode.commands.executeCommand<vscode.CompletionList>(
        'vscode.executeCompletionItemProvider',
        document.uri,
        at,
      );
      return items.map(({ label }) => (typeof label === 'string' ? label : label.label));
    };
    assert.ok((await offered('"entrypoint": "dist/')).includes('dist/main'));
    assert.ok((await offered('"model": "')).includes('acme:weather:'));
  });
});

describe('module manifests compared with the registry in a real extension host', () => {
  it('report models that the registry lists, and read the module once until it changes', async () => {
    const fleet = await openMemoryFleet();
    const sessions = new TestSessions(fleet);
    const stores = sessions.stores();
    const modules = new PublishedModules(sessions);
    try {
      const organization = organizationId(fleet.organizationId);
      const { id } = await stores.registry.createModule(organization, 'weather');
      const api = 'rdk:component:sensor';
      const station = { api, model: 'acme:weather:station' };
      const update = {
        visibility: 'private',
        url: '',
        description: '',
        entrypoint: 'run.sh',
        models: [{ ...station, description: '', markdown: undefined }],
        markdown: '',
      } as const;
      const target = { id, organizationId: organization };
      await stores.registry.updateModule(target, update);
      const fields = { $schema: MANIFEST_SCHEMA, module_id: id, entrypoint: 'run.sh', models: [] };
      const content = JSON.stringify(fields);
      const document = await vscode.workspace.openTextDocument({ language: 'json', content });
      const diagnostics = new ManifestDiagnostics(new ManifestReader(), modules);
      const listCodes = async (): Promise<string[]> =>
        ((await diagnostics.of(document)) ?? [])
          .map(({ code }) => code)
          .filter((code) => code.startsWith('model'));
      fleet.calls.clear();
      assert.equal(await diagnostics.checkRegistry(document), true);
      assert.deepEqual(await listCodes(), ['modelRemoved']);
      assert.equal(await diagnostics.checkRegistry(document), false);
      assert.equal(fleet.calls.get('GetRegistryItem'), 1);
      let changes = 0;
      modules.onDidChange(() => (changes += 1));
      await stores.registry.updateModule(target, { ...update, models: [] });
      assert.ok(changes > 0);
      assert.equal(await diagnostics.checkRegistry(document), true);
      assert.deepEqual(await listCodes(), []);
    } finally {
      modules.dispose();
      sessions.dispose();
      await fleet.close();
    }
  });
});
