import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { organizationId, type RegistryItemId } from '../../src/core/model/ids';
import { buildModule, runTask } from '../../src/host/features/modules/build/buildModule';
import { ChosenPlatforms } from '../../src/host/features/modules/build/chosenPlatforms';
import {
  createUploadTask,
  ModuleTaskProvider,
} from '../../src/host/features/modules/build/moduleTasks';
import type { Commands } from '../../src/host/platform/commands/commandRegistry';
import type { SessionProvider } from '../../src/host/platform/sessionProvider';
import { tasks } from '../../src/manifest/contributions';
import { type MemoryFleet, openMemoryFleet } from '../support/memoryFleet';
import { ScriptedPrompts } from './support/scriptedPrompts';
import { MemoryKeyValue } from '../support/memoryPorts';
import { TestSessions } from '../support/testSessions';

const MODULE = 'acme:wheel';

describe('tasks of modules in a real extension host', () => {
  const [workspace] = vscode.workspace.workspaceFolders ?? [];
  let folder: string;

  beforeEach(async () => {
    assert.ok(workspace);
    await vscode.extensions.getExtension('fleetwright.fleetwright')?.activate();
    folder = mkdtempSync(join(workspace.uri.fsPath, "it's $(a) module-"));
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function write(name: string, text: string): vscode.Uri {
    const path = join(folder, name);
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, text);
    return vscode.Uri.file(path);
  }

  function writeManifest(build: object, moduleId = MODULE): vscode.Uri {
    const manifest = { module_id: moduleId, entrypoint: 'main', models: [], build };
    return write('meta.json', JSON.stringify(manifest));
  }

  async function found(): Promise<readonly vscode.Task[]> {
    const all = await vscode.tasks.fetchTasks({ type: tasks.type });
    return all.filter(({ definition }) =>
      String(definition.manifest).includes("it's $(a) module-"),
    );
  }

  const read = (name: string): string => readFileSync(join(folder, name), 'utf8');

  it('are offered for each platform of a manifest, and for all of them', async () => {
    writeManifest({ build: 'true', arch: ['linux/amd64', 'linux/arm64'] });
    const offered = await found();
    assert.deepEqual(
      offered.map(({ definition }): unknown[] => [definition.task, definition.platform]),
      [
        ['build', 'linux/amd64'],
        ['build', 'linux/arm64'],
        ['build', ['linux/amd64', 'linux/arm64']],
        ['upload', undefined],
      ],
    );
    assert.ok(offered.every(({ source }) => source === 'Fleetwright'));
  });

  it('are offered for a manifest without an ID', async () => {
    writeManifest({ build: 'true' }, '');
    const offered = await found();
    assert.deepEqual(
      offered.map(({ definition }): unknown => definition.task),
      ['build', 'upload'],
    );
  });

  it('run the commands of the manifest in its folder, platform by platform', async () => {
    writeManifest({
      setup: 'echo setup > log',
      build: 'echo "$VIAM_BUILD_ARCH ${ELECTRON_RUN_AS_NODE:-clean}" >> log; cp log out.tgz',
      path: 'out.tgz',
      arch: ['linux/amd64', 'linux/arm64'],
    });
    const task = (await found()).find(({ definition }) => Array.isArray(definition.platform));
    assert.ok(task);
    assert.equal(await runTask(task), 0);
    assert.equal(read('log'), 'setup\namd64 clean\narm64 clean\n');
    assert.equal(read('out-linux-amd64.tgz'), 'setup\namd64 clean\n');
    assert.equal(read('out-linux-arm64.tgz'), read('log'));
  });

  it('exit with the exit code of the build, and add its errors to Problems', async () => {
    const source = write('src/main.c', 'int main() { return x; }\n');
    writeManifest({ build: 'echo "src/main.c:1:21: error: x is not declared" >&2; exit 3' });
    const [task] = await found();
    assert.ok(task);
    const shown = waitForDiagnostics(source);
    assert.equal(await runTask(task), 3);
    const [problem] = await shown;
    assert.equal(problem?.message, 'x is not declared');
    assert.equal(problem.range.start.line, 0);
    assert.equal(problem.range.start.character, 20);
  });

  it('build from the command with any folder name', async () => {
    const manifest = writeManifest({ build: 'touch built', arch: ['linux/amd64'] });
    await vscode.commands.executeCommand('fleetwright.module.build', manifest);
    assert.equal(read('built'), '');
  });

  it('are announced when they end, even if no command started them', async () => {
    writeManifest({ build: 'test -e works', arch: ['linux/amd64'] });
    const [task] = await found();
    assert.ok(task);
    using prompts = new ScriptedPrompts();
    assert.equal(await runTask(task), 1);
    await prompts.message(
      `The build of ${MODULE} failed with exit code 1. See the terminal for details. Errors with a file and line also appear in the Problems view.`,
    );
    write('works', '');
    assert.equal(await runTask(task), 0);
    await prompts.message(`Built ${MODULE} for linux/amd64.`);
  });

  it('are not run without a selected platform, which the command reports', async () => {
    const arch = ['linux/amd64', 'linux/arm64'];
    const manifest = writeManifest({ build: 'touch built', arch });
    using prompts = new ScriptedPrompts();
    const building = vscode.commands.executeCommand('fleetwright.module.build', manifest);
    const list = await prompts.next('Build Module');
    list.check([]);
    list.accept();
    await prompts.message('No platform is selected, so nothing was built.');
    await building;
    assert.ok(!existsSync(join(folder, 'built')));
  });

  it('are not offered or run in an untrusted workspace', async () => {
    const manifest = writeManifest({ build: 'touch built', arch: ['linux/amd64'] });
    const offered = await found();
    // Empty objects, because there must be no prompts and no calls.
    const [sessions, commands] = [{} as SessionProvider, {} as Commands];
    const tools = { program: 'none', isTrusted: () => false, sessions };
    const provider = new ModuleTaskProvider(tools);
    assert.deepEqual(await provider.provideTasks(), []);
    assert.ok(offered[0]);
    assert.equal(provider.resolveTask(offered[0]), undefined);
    const chosen = new ChosenPlatforms(new MemoryKeyValue());
    const announced = new Set<string>();
    await assert.rejects(buildModule({ ...tools, commands, chosen, announced }, manifest), {
      kind: 'permission',
      action: 'manageTrust',
      message: /not trusted, so nothing was run/,
    });
    assert.ok(!existsSync(join(folder, 'built')));
  });

  it('upload with the connection of the window, line by line', async () => {
    const fleet = await openMemoryFleet();
    const sessions = new TestSessions(fleet);
    try {
      const id = await registered(fleet, sessions);
      const manifest = writeManifest({ path: 'out' }, id);
      write('out/main', '#!/bin/sh\n');
      chmodSync(join(folder, 'out/main'), 0o755);
      const definition = {
        type: tasks.type,
        task: 'upload',
        version: '1.0.0',
        platform: 'linux/arm64',
        manifest: manifest.fsPath,
      };
      assert.ok(workspace);
      const task = createUploadTask(sessions, definition, workspace);
      const first = await collectTaskOutput(task);
      assert.equal(first.at(-1), 'exit 0', first.join('\n'));
      const { versions } = await sessions.stores().registry.get(id, { fresh: true });
      assert.deepEqual(
        versions.map(({ version, files }) => [version, files.map(({ platform }) => platform)]),
        [['1.0.0', ['linux/arm64']]],
      );
      const again = await collectTaskOutput(task);
      assert.match(again.join('\n'), /already has this archive for linux\/arm64[^\n]*\nexit 0$/);
      write('out/main', '#!/bin/bash\n');
      const changed = await collectTaskOutput(task);
      assert.match(changed.join('\n'), /already has an archive for linux\/arm64[\s\S]*exit 1$/);
      const wrong = await collectTaskOutput(
        createUploadTask(sessions, { ...definition, version: 'one' }, workspace),
      );
      assert.match(wrong.join('\n'), /^A version must have three numbers[^\n]*\nexit 1$/);
      write('out-linux-amd64/main', '#!/bin/sh\n');
      write('out-linux-arm64/main', '#!/bin/sh\n');
      const uploadAll = (...platform: readonly string[]): Promise<readonly string[]> => {
        assert.ok(workspace);
        const several = { ...definition, version: '1.0.1', platform };
        return collectTaskOutput(createUploadTask(sessions, several, workspace));
      };
      chmodSync(join(folder, 'out-linux-amd64/main'), 0o755);
      const unfit = await uploadAll('linux/amd64', 'linux/arm64');
      assert.equal(unfit.at(-1), 'exit 3', unfit.join('\n'));
      const unchanged = await sessions.stores().registry.get(id, { fresh: true });
      assert.equal(unchanged.versions.length, 1, 'no platform was uploaded');
      chmodSync(join(folder, 'out-linux-arm64/main'), 0o755);
      const both = await uploadAll('linux/amd64', 'linux/arm64');
      assert.equal(both.at(-1), 'exit 0', both.join('\n'));
      assert.doesNotMatch(both.join('\n'), /already|warning/);
      write('out-darwin-arm64/main', '#!/bin/sh\n');
      chmodSync(join(folder, 'out-darwin-arm64/main'), 0o755);
      const continued = await uploadAll('linux/amd64', 'linux/arm64', 'darwin/arm64');
      assert.match(
        continued.join('\n'),
        /this archive for linux\/amd64[\s\S]*this archive for linux\/arm64[\s\S]*Uploaded [^\n]* for darwin\/arm64[^\n]*\nexit 0$/,
      );
      const next = await collectTaskOutput(
        createUploadTask(sessions, { ...definition, version: undefined }, workspace),
      );
      assert.match(next.join('\n'), /1\.0\.2/);
    } finally {
      sessions.dispose();
      await fleet.close();
    }
  });
});

async function registered(fleet: MemoryFleet, sessions: TestSessions): Promise<RegistryItemId> {
  const organization = organizationId(fleet.organizationId);
  const { id } = await sessions.stores().registry.createModule(organization, 'wheel');
  return id;
}

/** Runs a task that is implemented in the extension; returns its output and exit code. */
async function collectTaskOutput({
  execution,
  definition,
}: vscode.Task): Promise<readonly string[]> {
  assert.ok(execution instanceof vscode.CustomExecution);
  const { callback } = execution as unknown as {
    callback: (definition: vscode.TaskDefinition) => Promise<vscode.Pseudoterminal>;
  };
  const terminal = await callback(definition);
  const lines: string[] = [];
  const ended = new Promise<number>((resolve) => {
    terminal.onDidWrite((line) => lines.push(line.trimEnd()));
    terminal.onDidClose?.((code) => resolve(code ?? 0));
  });
  terminal.open(undefined);
  return [...(await ended.then((code) => [...lines, `exit ${code}`]))];
}

/** Waits until a file has problems; returns them. */
function waitForDiagnostics(uri: vscode.Uri): Promise<readonly vscode.Diagnostic[]> {
  return new Promise((resolve) => {
    const listening = vscode.languages.onDidChangeDiagnostics(() => {
      const found = vscode.languages.getDiagnostics(uri);
      if (found.length === 0) return;
      listening.dispose();
      resolve(found);
    });
  });
}
