import * as vscode from 'vscode';
import { canceled, FleetError } from '../../../../core/api/errors';
import {
  getTargetPlatforms,
  machinePlatform,
  usualPlatforms,
} from '../../../../core/modules/buildPlan';
import type { Platform } from '../../../../core/modules/platforms';
import type { Commands } from '../../../platform/commands/commandRegistry';
import {
  type ManifestFile,
  readManifestFile,
  resolveManifest,
} from '../../../platform/modules/moduleManifests';
import { requireTrust } from '../../../platform/permissions/requireTrust';
import {
  type BuildProgram,
  createBuildTask,
  createTaskDefinition,
  getManifestUri,
  getTaskScope,
  platformsIn,
} from './buildTask';
import type { ChosenPlatforms } from './chosenPlatforms';
import { DisposableSet } from '../../../../base/disposable';
import { toDisplayText } from '../../../../core/model/displayText';
import { formatList } from '../../../platform/text/displayText';

export interface BuildTools {
  readonly commands: Commands;
  readonly program: BuildProgram;
  /** Returns true if the workspace is trusted. */
  readonly isTrusted: () => boolean;
  readonly chosen: ChosenPlatforms;
  /** Names of tasks whose results this command reports itself. */
  readonly announced: Set<string>;
}

/**
 * Builds a manifest's module in a separate task whose terminal remains open, and reports the
 * result. Throws `permission` in an untrusted workspace, and `canceled` if the user dismisses the
 * prompt.
 */
export async function buildModule(tools: BuildTools, argument: object | undefined): Promise<void> {
  requireTrust(undefined, tools.isTrusted());
  const file = await resolveManifest(argument, vscode.l10n.t('Build Module'));
  requireBuildCommand(file);
  const platforms = await pickPlatforms(tools.chosen, file);
  await runBuild(tools, file, platforms);
  void announceBuilt(tools.commands, file, platforms);
}

/**
 * Builds a module for this computer, without reporting the result.
 * @throws FleetError if the build fails; `canceled` if the user stops it
 */
export async function buildForThisComputer(tools: BuildTools, file: ManifestFile): Promise<void> {
  requireBuildCommand(file);
  const own = machinePlatform(process.platform, process.arch);
  const named = getTargetPlatforms(file.manifest.build);
  await runBuild(tools, file, own !== undefined && named.includes(own) ? [own] : []);
}

async function runBuild(
  tools: BuildTools,
  file: ManifestFile,
  platforms: readonly Platform[],
): Promise<void> {
  const definition = createTaskDefinition('build', file.uri, platforms);
  const task = createBuildTask(tools.program, definition, getTaskScope(file.uri));
  const exitCode = await runAnnounced(tools.announced, task);
  if (exitCode === undefined) throw canceled();
  if (exitCode !== 0) throw buildFailure(file, exitCode);
}

async function runAnnounced(
  announced: Set<string>,
  task: vscode.Task,
): Promise<number | undefined> {
  announced.add(task.name);
  try {
    return await runTask(task);
  } finally {
    announced.delete(task.name);
  }
}

function requireBuildCommand({ uri, manifest }: ManifestFile): void {
  const path = vscode.workspace.asRelativePath(uri);
  if (uri.scheme !== 'file') {
    throw new FleetError(
      'unsupported',
      vscode.l10n.t("{0} is not on this computer, so its build can't run here.", path),
    );
  }
  if (manifest.build.build?.trim()) return;
  throw new FleetError(
    'invalid',
    vscode.l10n.t(
      '{0} has no build command. In "build.build", enter the command that builds the module, for example "./build.sh".',
      path,
    ),
  );
}

/** Returns the platforms to build for. Prompts only if the manifest lists more than one. */
async function pickPlatforms(
  chosen: ChosenPlatforms,
  { uri, manifest }: ManifestFile,
): Promise<readonly Platform[]> {
  const named = getTargetPlatforms(manifest.build);
  const usual = usualPlatforms(manifest.build, machinePlatform(process.platform, process.arch));
  if (named.length < 2) return usual;
  const before = chosen.of(uri).filter((platform) => named.includes(platform));
  const picked = new Set(before.length > 0 ? before : usual);
  const items = named.map((platform) => ({
    label: platform,
    platform,
    picked: picked.has(platform),
  }));
  const answer = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Build Module'),
    placeHolder: vscode.l10n.t('Platforms to build for, one after another'),
    canPickMany: true,
    ignoreFocusOut: true,
  });
  if (answer?.length === 0) {
    void vscode.window.showWarningMessage(
      vscode.l10n.t('No platform is selected, so nothing was built.'),
    );
  }
  if (!answer || answer.length === 0) throw canceled();
  const platforms = answer.map(({ platform }) => platform);
  await chosen.remember(uri, platforms);
  return platforms;
}

/**
 * Runs a task until it has finished.
 * @returns the exit code of its process; undefined if the user stopped it
 */
export async function runTask(task: vscode.Task): Promise<number | undefined> {
  const owned = new DisposableSet();
  try {
    return await new Promise<number | undefined>((resolve, reject) => {
      // The end event can fire before the call returns the execution.
      const started = Promise.resolve().then(() => vscode.tasks.executeTask(task));
      const ended = async (of: vscode.TaskExecution, exitCode?: number): Promise<void> => {
        if (of === (await started)) resolve(exitCode);
      };
      owned.add(
        vscode.tasks.onDidEndTaskProcess(({ execution, exitCode }) => {
          ended(execution, exitCode).catch(reject);
        }),
      );
      // This event fires after the process has exited, and even if no process was started.
      owned.add(
        vscode.tasks.onDidEndTask(({ execution }) => {
          ended(execution).catch(reject);
        }),
      );
      started.catch(reject);
    });
  } finally {
    owned.dispose();
  }
}

/** Reports that a module was built, and offers to upload it. */
export async function announceBuilt(
  commands: Commands,
  file: ManifestFile,
  platforms: readonly string[],
): Promise<void> {
  const name = formatManifestName(file);
  const message =
    platforms.length === 0
      ? vscode.l10n.t('Built {0}.', name)
      : vscode.l10n.t('Built {0} for {1}.', name, formatList(platforms));
  const upload = vscode.l10n.t('Upload Module Version…');
  if ((await vscode.window.showInformationMessage(message, upload)) !== upload) return;
  await commands.execute('fleetwright.module.uploadBuild', file.uri);
}

/**
 * Reports the result of a build that ran as a separate task, for example from *Run Build Task*.
 * @throws FleetError if the build failed
 */
export async function announceTask(
  commands: Commands,
  { definition, scope }: vscode.Task,
  exitCode: number,
): Promise<void> {
  const file = await readManifestFile(getManifestUri(definition, scope));
  if (exitCode === 0) {
    await announceBuilt(commands, file, platformsIn(definition));
    return;
  }
  throw buildFailure(file, exitCode);
}

/** Returns the error for a failed build. The message explains where to find details. */
export function buildFailure(file: ManifestFile, exitCode: number): FleetError {
  return new FleetError(
    'invalid',
    vscode.l10n.t(
      'The build of {0} failed with exit code {1}. See the terminal for details. Errors with a file and line also appear in the Problems view.',
      formatManifestName(file),
      exitCode,
    ),
    { action: 'retry' },
  );
}

/** Returns a module's name for messages. */
export function formatManifestName({ uri, manifest }: ManifestFile): string {
  return toDisplayText(manifest.moduleId || vscode.workspace.asRelativePath(uri));
}
