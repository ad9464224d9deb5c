import { isAbsolute, join } from 'node:path';
import * as vscode from 'vscode';
import type { Platform } from '../../../core/modules/platforms';
import { tasks } from '../../../manifest/tasks';
import { folderOfManifest, MANIFEST_NAME } from '../../platform/moduleManifests';

/** What tasks.json says of a task. Whoever wrote it may have left out or mistaken anything. */
export interface ModuleTaskDefinition extends vscode.TaskDefinition {
  readonly task?: unknown;
  /** Relative to the folder of the workspace, or absolute; `meta.json` when left out. */
  readonly manifest?: unknown;
  /** One platform, or several. */
  readonly platform?: unknown;
}

/** The command line, absolute: it runs builds in the terminal of their task. */
export type BuildProgram = string;

/** The task that builds a module of the workspace for some platforms; for the usual one when there are none. */
export function newBuildTask(
  program: BuildProgram,
  manifest: vscode.Uri,
  platforms: readonly Platform[],
): vscode.Task {
  const folder = vscode.workspace.getWorkspaceFolder(manifest);
  const definition: ModuleTaskDefinition = {
    type: tasks.type,
    task: 'build',
    manifest: folder ? vscode.workspace.asRelativePath(manifest, false) : manifest.fsPath,
    ...(platforms.length > 0 && { platform: platforms.length === 1 ? platforms[0] : platforms }),
  };
  return buildTaskOf(program, definition, folder ?? vscode.TaskScope.Workspace);
}

/**
 * The task of a definition, which its program checks when it runs.
 * @param scope the folder that the definition stands in
 */
export function buildTaskOf(
  program: BuildProgram,
  definition: ModuleTaskDefinition,
  scope: vscode.WorkspaceFolder | vscode.TaskScope.Workspace | vscode.TaskScope.Global,
): vscode.Task {
  const manifest = manifestOf(definition, scope);
  const platforms = textsOf(definition.platform);
  const execution = new vscode.ProcessExecution(
    process.execPath,
    [
      program,
      ...['module', 'build', '--module', manifest.fsPath],
      ...platforms.flatMap((platform) => ['--platform', platform]),
    ],
    { cwd: folderOfManifest(manifest).fsPath, env: { ELECTRON_RUN_AS_NODE: '1' } },
  );
  const task = new vscode.Task(definition, scope, taskName(definition), 'Fleetwright', execution, [
    ...tasks.matchers,
  ]);
  task.group = vscode.TaskGroup.Build;
  task.detail = vscode.l10n.t('Runs the build commands of {0}', pathOf(definition));
  task.presentationOptions = {
    reveal: vscode.TaskRevealKind.Always,
    panel: vscode.TaskPanelKind.Dedicated,
    clear: true,
  };
  return task;
}

/** The manifest that a definition means. */
export function manifestOf(
  definition: ModuleTaskDefinition,
  scope: vscode.Task['scope'],
): vscode.Uri {
  const path = pathOf(definition);
  if (isAbsolute(path)) return vscode.Uri.file(path);
  const folder = typeof scope === 'object' ? scope : vscode.workspace.workspaceFolders?.[0];
  return folder ? vscode.Uri.joinPath(folder.uri, path) : vscode.Uri.file(join('/', path));
}

function taskName(definition: ModuleTaskDefinition): string {
  const place = pathOf(definition);
  const platforms = textsOf(definition.platform);
  return platforms.length === 0
    ? vscode.l10n.t('build {0}', place)
    : vscode.l10n.t('build {0} for {1}', place, platforms.join(', '));
}

function pathOf({ manifest }: ModuleTaskDefinition): string {
  return typeof manifest === 'string' && manifest !== '' ? manifest : MANIFEST_NAME;
}

function textsOf(value: unknown): readonly string[] {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  return values.filter((one) => typeof one === 'string');
}
