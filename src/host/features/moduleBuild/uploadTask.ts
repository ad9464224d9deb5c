import { dirname, resolve } from 'node:path';
import * as vscode from 'vscode';
import { DiskBuilds } from '../../../archives/diskBuilds';
import { upload } from '../../../cli/upload';
import { FleetError } from '../../../core/api/errors';
import { displayText } from '../../../core/model/displayText';
import { registryItemId } from '../../../core/model/ids';
import { platformArchive } from '../../../core/modules/build/platformArchive';
import { isPlatform, type Platform } from '../../../core/modules/platforms';
import { proposedVersion } from '../../../core/modules/upload/proposedVersion';
import { versionProblem } from '../../../core/modules/upload/versionProblem';
import { versionWords } from '../../../core/modules/upload/versionWords';
import { readManifestFile } from '../../platform/moduleManifests';
import { requireConnection } from '../../platform/requireConnection';
import type { SessionProvider } from '../../platform/sessionProvider';
import { manifestOf, type ModuleTaskDefinition, newTask, platformsIn } from './buildTask';
import { TaskTerminal, type TaskWork } from './taskTerminal';

/**
 * The task of tasks.json that uploads a build, with the connection of the window: what the command line
 * does for those who have none.
 */
export function uploadTaskOf(
  sessions: SessionProvider,
  definition: ModuleTaskDefinition,
  scope: NonNullable<vscode.Task['scope']>,
): vscode.Task {
  const execution = new vscode.CustomExecution((resolved) =>
    Promise.resolve(new TaskTerminal(uploadWork(sessions, resolved, scope))),
  );
  return newTask(definition, scope, execution);
}

function uploadWork(
  sessions: SessionProvider,
  definition: ModuleTaskDefinition,
  scope: NonNullable<vscode.Task['scope']>,
): TaskWork {
  return async (say, signal) => {
    const file = await readManifestFile(manifestOf(definition, scope));
    const { stores } = connected(sessions);
    const { moduleId, build } = file.manifest;
    const version = await versionOf(definition, async () => {
      const item = await stores.registry.get(registryItemId(moduleId), { fresh: true, signal });
      return item.versions.map((one) => one.version);
    });
    const platforms = platformsIn(definition).map(requirePlatform);
    const targets: readonly (Platform | undefined)[] =
      platforms.length > 0 ? platforms : [undefined];
    for (const [index, platform] of targets.entries()) {
      const exitCode = await upload(
        {
          ...{ kind: 'upload', manifest: file.uri.fsPath, version, platform },
          build: buildOf(file.uri.fsPath, build.path, targets.length > 1 ? platform : undefined),
          // Said once, before the first archive.
          update: index === 0,
          ...{ platformTags: [], force: false, json: false },
          ...{ url: undefined, credentialsFile: undefined, allowPlainHttp: false },
        },
        { say, result: say },
        {
          connect: () => Promise.resolve({ stores, dispose: () => undefined }),
          reader: new DiskBuilds(),
        },
        signal,
      );
      if (exitCode !== 0) return exitCode;
    }
    return 0;
  };
}

/** Where the build of one of several platforms is kept; undefined for what the manifest names. */
function buildOf(
  manifest: string,
  path: string | undefined,
  platform: Platform | undefined,
): string | undefined {
  return path === undefined || platform === undefined
    ? undefined
    : resolve(dirname(manifest), platformArchive(path, platform));
}

async function versionOf(
  { version }: ModuleTaskDefinition,
  versions: () => Promise<readonly string[]>,
): Promise<string> {
  if (typeof version !== 'string' || version === '') return proposedVersion(await versions());
  const problem = versionProblem(version, [], []);
  if (!problem) return version;
  throw new FleetError('invalid', versionWords(problem, vscode.l10n));
}

function connected(sessions: SessionProvider) {
  return { stores: sessions.stores(requireConnection(sessions).id) };
}

function requirePlatform(text: string): Platform {
  if (isPlatform(text)) return text;
  throw new FleetError(
    'invalid',
    vscode.l10n.t(
      'There is no platform "{0}". Say it as system/architecture, such as linux/arm64.',
      displayText(text),
    ),
  );
}
