import { isAbsolute, join } from 'node:path';
import * as vscode from 'vscode';
import { MANIFEST_NAME } from '../../../../core/modules/manifest/moduleManifest';
import type { Platform } from '../../../../core/modules/platforms';
import { tasks } from '../../../../manifest/contributions';
import { getModuleFolder } from '../../../platform/modules/moduleManifests';

/** Task definition in tasks.json, where fields can be missing or invalid. */
export interface ModuleTaskDefinition extends vscode.TaskDefinition {
  readonly task?: unknown;
  /** Path of the manifest, absolute or relative to the workspace folder; `meta.json` by default. */
  readonly manifest?: unknown;
  /** One or more platforms. */
  readonly platform?: unknown;
  /** Upload version; by default, the next version after the newest one. */
  readonly version?: unknown;
}

/** Absolute path of the command-line program that runs builds in their tasks' terminals. */
export type BuildProgram = string;

/** Returns the task definition for a module in the workspace. */
export function createTaskDefinition(
  task: 'build' | 'upload',
  manifest: vscode.Uri,
  platforms: readonly Platform[],
): ModuleTaskDefinition {
  const isInFolder = vscode.workspace.getWorkspaceFolder(manifest) !== undefined;
  return {
    type: tasks.type,
    task,
    manifest: isInFolder ? vscode.workspace.asRelativePath(manifest, false) : manifest.fsPath,
    ...(platforms.length > 0 && { platform: platforms.length === 1 ? platforms[0] : platforms }),
  };
}

/** Returns the scope of a module's task. */
export function getTaskScope(manifest: vscode.Uri): NonNullable<vscode.Task['scope']> {
  return vscode.workspace.getWorkspaceFolder(manifest) ?? vscode.TaskScope.Workspace;
}

/**
 * Returns the task for a definition. The program validates the definition when the task runs.
 * @param scope folder that contains the definition
 */
export function createBuildTask(
  program: BuildProgram,
  definition: ModuleTaskDefinition,
  scope: NonNullable<vscode.Task['scope']>,
): vscode.Task {
  const manifest = getManifestUri(definition, scope);
  const platforms = platformsIn(definition);
  const folder = getModuleFolder(manifest).fsPath;
  // Problem matchers resolve paths relative to the workspace folder.
  const outer = typeof scope === 'object' ? scope.uri.fsPath : folder;
  const execution = new vscode.ProcessExecution(
    process.execPath,
    [
      program,
      ...['module', 'build', '--module', manifest.fsPath],
      ...platforms.flatMap((platform) => ['--platform', platform]),
      ...(outer === folder ? [] : ['--relative-to', outer]),
    ],
    { cwd: folder, env: { ELECTRON_RUN_AS_NODE: '1' } },
  );
  return newTask(definition, scope, execution);
}

/** Returns a task for a module. The task's terminal remains open. */
export function newTask(
  definition: ModuleTaskDefinition,
  scope: NonNullable<vscode.Task['scope']>,
  execution: vscode.ProcessExecution | vscode.CustomExecution,
): vscode.Task {
  const isBuild = execution instanceof vscode.ProcessExecution;
  const matchers = isBuild ? [...tasks.matchers] : [];
  const name = taskName(definition, isBuild);
  const task = new vscode.Task(definition, scope, name, 'Fleetwright', execution, matchers);
  if (isBuild) task.group = vscode.TaskGroup.Build;
  task.detail = isBuild
    ? vscode.l10n.t('Runs the build commands of {0}', getManifestPath(definition))
    : vscode.l10n.t('Uploads the build of {0}', getManifestPath(definition));
  task.presentationOptions = {
    reveal: vscode.TaskRevealKind.Always,
    panel: vscode.TaskPanelKind.Dedicated,
    clear: true,
  };
  return task;
}

/** Returns a definition's manifest. */
export function getManifestUri(
  definition: ModuleTaskDefinition,
  scope: vscode.Task['scope'],
): vscode.Uri {
  const path = getManifestPath(definition);
  if (isAbsolute(path)) return vscode.Uri.file(path);
  const folder = typeof scope === 'object' ? scope : vscode.workspace.workspaceFolders?.[0];
  return folder ? vscode.Uri.joinPath(folder.uri, path) : vscode.Uri.file(join('/', path));
}

function taskName(definition: ModuleTaskDefinition, isBuild: boolean): string {
  const path = getManifestPath(definition);
  const platforms = platformsIn(definition).join(', ');
  if (platforms === '') {
    return isBuild ? vscode.l10n.t('build {0}', path) : vscode.l10n.t('upload {0}', path);
  }
  return isBuild
    ? vscode.l10n.t('build {0} for {1}', path, platforms)
    : vscode.l10n.t('upload {0} for {1}', path, platforms);
}

function getManifestPath({ manifest }: ModuleTaskDefinition): string {
  return typeof manifest === 'string' && manifest !== '' ? manifest : MANIFEST_NAME;
}

/** Returns a definition's platforms as written; empty for the default platform. */
export function platformsIn({ platform }: ModuleTaskDefinition): readonly string[] {
  const values: readonly unknown[] = Array.isArray(platform) ? platform : [platform];
  return values.filter((one) => typeof one === 'string');
}
