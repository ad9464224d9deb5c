import * as vscode from 'vscode';
import { resolve } from 'node:path';
import { getTargetPlatforms, platformArchive } from '../../../../core/modules/buildPlan';
import {
  findManifests,
  getModuleFolder,
  type ManifestFile,
  readManifestFile,
} from '../../../platform/modules/moduleManifests';
import { requireConnection, type SessionProvider } from '../../../platform/sessionProvider';
import {
  createBuildTask,
  createTaskDefinition,
  getManifestUri,
  getTaskScope,
  type ModuleTaskDefinition,
  newTask,
  platformsIn,
} from './buildTask';
import type { BuildTools } from './buildModule';
import { DiskBuilds } from '../../../../archives/diskBuilds';
import {
  hasErrors,
  type ModuleSource,
  type PreparedModule,
  prepareModule,
} from '../../../../archives/prepareModule';
import { FleetError, toFleetError } from '../../../../core/api/errors';
import { oneLine, toDisplayText } from '../../../../core/model/displayText';
import { registryItemId } from '../../../../core/model/ids';
import type { RegistryVersion } from '../../../../core/model/registryItem';
import {
  formatDiagnosticLine,
  toReportedDiagnostic,
} from '../../../../core/modules/manifest/formatManifestDiagnostic';
import { isPlatform, type Platform } from '../../../../core/modules/platforms';
import {
  formatVersionProblem,
  proposedVersion,
  versionProblem,
} from '../../../../core/modules/upload/versionProblem';
import {
  type PreparedUpload,
  type PreparedUploadDeps,
  type PreparedUploadResult,
  uploadPrepared,
} from '../../../../core/modules/upload/uploadPrepared';
import { createModuleFileReader } from '../../../platform/modules/manifestErrors';

/**
 * Provides tasks that build and upload the workspace's modules, and resolves the tasks in
 * tasks.json.
 */
export class ModuleTaskProvider implements vscode.TaskProvider {
  constructor(
    private readonly tools: Pick<BuildTools, 'program' | 'isTrusted'> & {
      readonly sessions: SessionProvider;
    },
  ) {}

  /**
   * Returns no tasks in an untrusted workspace, because tasks would run commands from its files.
   */
  async provideTasks(): Promise<vscode.Task[]> {
    if (!this.tools.isTrusted()) return [];
    const files = (await findManifests()).filter(({ uri }) => uri.scheme === 'file');
    return files.flatMap((file) => [...this.builds(file), this.upload(file)]);
  }

  resolveTask({ definition, scope }: vscode.Task): vscode.Task | undefined {
    if (!this.tools.isTrusted() || scope === undefined) return undefined;
    const { task } = definition as ModuleTaskDefinition;
    if (task === 'build') return createBuildTask(this.tools.program, definition, scope);
    return task === 'upload' ? createUploadTask(this.tools.sessions, definition, scope) : undefined;
  }

  /** Returns one build task for each platform, and one for all platforms. */
  private builds({ uri, manifest }: ManifestFile): readonly vscode.Task[] {
    if (!manifest.build.build?.trim()) return [];
    const platforms = getTargetPlatforms(manifest.build);
    const each = platforms.length > 1 ? [...platforms.map((one) => [one]), platforms] : [platforms];
    return each.map((some) =>
      createBuildTask(
        this.tools.program,
        createTaskDefinition('build', uri, some),
        getTaskScope(uri),
      ),
    );
  }

  private upload({ uri }: ManifestFile): vscode.Task {
    return createUploadTask(
      this.tools.sessions,
      createTaskDefinition('upload', uri, []),
      getTaskScope(uri),
    );
  }
}

const EXIT_DONE = 0;
/** Exit code for a build with errors. The command-line program uses the same code. */
const EXIT_UNFIT = 3;

/**
 * Returns the tasks.json task that uploads a build over the window's connection. Otherwise, the
 * upload is the same as the command-line program's.
 */
export function createUploadTask(
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
    const file = await readManifestFile(getManifestUri(definition, scope));
    const { registry } = sessions.stores(requireConnection(sessions).id);
    const { version, known } = await resolveVersion(definition, async () => {
      const id = registryItemId(file.manifest.moduleId);
      return (await registry.get(id, { fresh: true, signal })).versions;
    });
    const platforms = platformsIn(definition).map(requirePlatform);
    const targets: readonly (Platform | undefined)[] =
      platforms.length > 0 ? platforms : [undefined];
    const readText = createModuleFileReader(getModuleFolder(file.uri));
    const deps = {
      registry,
      reader: new DiskBuilds(vscode.l10n),
      readSibling: readText,
      say,
      signal,
    };
    const modules: UploadableModule[] = [];
    // All builds are checked before the first upload, because versions can't be changed.
    for (const platform of targets) {
      const build = targets.length > 1 ? getBuildPath(file, platform) : undefined;
      const source = { manifest: file.uri.fsPath, build, isBuildNamed: false, platform };
      if (build !== undefined) say(vscode.l10n.t('Checking {0}…', toDisplayText(build)));
      const module = await prepareUpload(source, deps);
      if (module) modules.push(module);
    }
    if (modules.length < targets.length) return EXIT_UNFIT;
    const uploaded: Platform[] = [];
    // The module's metadata is updated only once, before the first archive, because all archives
    // belong to the same version.
    let once: Pick<PreparedUpload, 'update' | 'known'> = { update: true, known };
    for (const module of modules) {
      const upload = { version, platformTags: [], uploaded, skipsIdentical: true, ...once };
      const result = await uploadPrepared({ ...module, ...upload }, deps);
      say(formatResult(result, version, module.platform));
      uploaded.push(module.platform);
      if (!result.isSkipped) once = { update: false };
    }
    return EXIT_DONE;
  };
}

type UploadableModule = PreparedModule & Pick<PreparedUpload, 'platform'>;

/** @returns undefined if the build has errors, which are reported */
async function prepareUpload(
  source: ModuleSource,
  { reader, say, signal }: Pick<PreparedUploadDeps, 'reader' | 'say' | 'signal'>,
): Promise<UploadableModule | undefined> {
  const module = await prepareModule(source, reader, signal);
  for (const diagnostic of module.diagnostics) {
    say(formatDiagnosticLine(toReportedDiagnostic(diagnostic, vscode.l10n)));
  }
  if (!module.manifest || hasErrors(module.diagnostics)) return undefined;
  const { platform } = module;
  if (platform !== undefined) return { ...module, platform };
  throw new FleetError(
    'invalid',
    vscode.l10n.t(
      'Couldn\'t detect the platform of the build. Set "platform" in the task, for example to linux/arm64 or any.',
    ),
  );
}

function formatResult(
  { item: { id }, bytes, isSkipped }: PreparedUploadResult,
  version: string,
  platform: Platform,
): string {
  return isSkipped
    ? vscode.l10n.t(
        '{0} {1} already has this archive for {2}, so it was not uploaded again.',
        id,
        version,
        platform,
      )
    : vscode.l10n.t(
        'Uploaded {0} {1} for {2} ({3} bytes).',
        id,
        version,
        platform,
        bytes.toString(),
      );
}

/**
 * Returns the path of the saved build for one of multiple platforms; undefined for the path in the
 * manifest.
 */
function getBuildPath(
  { uri, manifest: { build } }: ManifestFile,
  platform: Platform | undefined,
): string | undefined {
  return build.path === undefined || platform === undefined
    ? undefined
    : resolve(getModuleFolder(uri).fsPath, platformArchive(build.path, platform));
}

/** Returns the version specified in a task, or the next version after the existing ones. */
async function resolveVersion(
  { version }: ModuleTaskDefinition,
  versions: () => Promise<readonly RegistryVersion[]>,
): Promise<Pick<PreparedUpload, 'version' | 'known'>> {
  if (typeof version !== 'string' || version === '') {
    const known = await versions();
    return { version: proposedVersion(known.map((one) => one.version)), known };
  }
  const problem = versionProblem(version, [], []);
  if (!problem) return { version };
  throw new FleetError('invalid', formatVersionProblem(problem, vscode.l10n));
}

function requirePlatform(text: string): Platform {
  if (isPlatform(text)) return text;
  throw new FleetError(
    'invalid',
    vscode.l10n.t(
      '"{0}" is not a valid platform. Use <os>/<arch>, for example linux/arm64.',
      toDisplayText(text),
    ),
  );
}

/**
 * Performs a task's work and writes lines to its terminal.
 * @returns the exit code
 */
type TaskWork = (say: (line: string) => void, signal: AbortSignal) => Promise<number>;

const CTRL_C = '\x03';
const EXIT_FAILED = 1;

/**
 * Terminal for a task whose work runs in the extension. It shows lines and stops the work on
 * Ctrl+C.
 */
class TaskTerminal implements vscode.Pseudoterminal {
  private readonly writing = new vscode.EventEmitter<string>();
  private readonly closing = new vscode.EventEmitter<number>();
  readonly onDidWrite = this.writing.event;
  readonly onDidClose = this.closing.event;
  private readonly stopping = new AbortController();

  constructor(private readonly work: TaskWork) {}

  open(): void {
    void this.run();
  }

  handleInput(data: string): void {
    if (data.includes(CTRL_C)) this.stopping.abort();
  }

  close(): void {
    this.stopping.abort();
  }

  private async run(): Promise<void> {
    let exitCode = EXIT_FAILED;
    try {
      exitCode = await this.work((line) => this.writeLines(line), this.stopping.signal);
    } catch (error) {
      const { kind, message } = toFleetError(error);
      this.writeLines(kind === 'canceled' ? vscode.l10n.t('The upload was canceled.') : message);
    } finally {
      this.closing.fire(exitCode);
      this.writing.dispose();
      this.closing.dispose();
    }
  }

  private writeLines(text: string): void {
    for (const line of text.split('\n')) this.writing.fire(`${oneLine(line)}\r\n`);
  }
}
