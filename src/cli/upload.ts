import { readBeside } from '../archives/readBeside';
import { FleetError } from '../core/api/errors';
import { registryItemId } from '../core/model/ids';
import type { RegistryItem } from '../core/model/registryItem';
import { moduleUpdateOf } from '../core/modules/update/moduleUpdate';
import type { Platform } from '../core/modules/platforms';
import type { BuildReader } from '../core/modules/upload/buildReader';
import { namedFiles } from '../core/modules/upload/preparedBuild';
import { uploadBuilds, type VersionUpload } from '../core/modules/upload/uploadBuilds';
import { versionProblem } from '../core/modules/upload/versionProblem';
import { plainWords } from '../core/modules/words';
import type { RegistryStore } from '../core/stores/registryStore';
import { type UploadCommand, UsageError } from './commandLine';
import type { Connect } from './connect';
import { EXIT_DONE, EXIT_UNFIT } from './exitCodes';
import { isUnfit, prepareModule, type PreparedModule } from './prepareModule';
import { findingLine, type Output, printJson, reportedFinding } from './report';

/** What an upload works with. */
export interface UploadGround {
  readonly connect: Connect;
  readonly reader: BuildReader;
}

/**
 * Uploads a build as a version of its module, after what the manifest says was said in the registry.
 * @returns the exit code. @throws UsageError and FleetError; nothing is registered then.
 */
export async function upload(
  command: UploadCommand,
  output: Output,
  { connect, reader }: UploadGround,
  signal: AbortSignal,
): Promise<number> {
  requireVersion(command.version);
  const module = await prepareModule(command, reader, signal);
  const findings = module.findings.map(reportedFinding);
  for (const finding of findings) output.say(findingLine(finding));
  if (!module.manifest || (isUnfit(module.findings) && !command.force)) {
    if (command.json) printJson(output, { ok: false, findings });
    return EXIT_UNFIT;
  }
  const platform = requirePlatform(module);
  const session = await connect(command);
  try {
    const { registry } = session.stores;
    const item = await readItem(registry, module.manifest.moduleId, signal);
    requireFree(item, command.version, platform, output);
    const { version, platformTags } = command;
    const update = updateOf(module, command);
    output.say(`Uploading ${module.buildPath} as ${item.id} ${version} for ${platform}`);
    const named = namedFiles(module.manifest);
    const read = (reading: AbortSignal) =>
      reader.read(module.buildPath, named, { signal: reading });
    let bytes = 0;
    const { failed } = await uploadBuilds(
      registry,
      { item, version, builds: [{ platform, platformTags, read }], update },
      { signal, onSent: (sent) => (bytes += sent) },
    );
    if (failed) throw failed.error;
    if (command.json) {
      printJson(output, { ok: true, moduleId: item.id, version, platform, bytes, findings });
    } else output.result(`Uploaded ${item.id} ${version} for ${platform} (${bytes} bytes).`);
    return EXIT_DONE;
  } finally {
    session.dispose();
  }
}

/** What is said of the version alone, before anything is read. */
function requireVersion(version: string): void {
  const problem = versionProblem(version, [], []);
  if (problem?.kind === 'tooLong') throw new UsageError('--version is too long');
  if (!problem) return;
  throw new UsageError(`--version takes a semantic version such as 1.2.3, not "${version}"`);
}

function requirePlatform({ platform }: PreparedModule): Platform {
  if (platform !== undefined) return platform;
  throw new UsageError(
    'the build does not tell what it runs on: name a platform, such as linux/arm64 or any',
  );
}

async function readItem(
  registry: RegistryStore,
  moduleId: string,
  signal: AbortSignal,
): Promise<RegistryItem> {
  try {
    return await registry.get(registryItemId(moduleId), { signal });
  } catch (error) {
    if (!(error instanceof FleetError) || error.kind !== 'notFound') throw error;
    const message = `The registry has no module "${moduleId}", or this key may not see it. Create it first.`;
    throw new FleetError('notFound', message, { cause: error });
  }
}

function requireFree(
  { id, versions }: RegistryItem,
  version: string,
  platform: Platform,
  { say }: Output,
): void {
  const problem = versionProblem(version, versions, [platform]);
  if (problem?.kind === 'taken') {
    const message = `${id} ${version} has an archive for ${platform} already. Upload another version.`;
    throw new FleetError('invalid', message);
  }
  if (problem?.kind !== 'older') return;
  say(
    `warning: ${version} is older than ${problem.newest}, which machines go on to take as the newest`,
  );
}

/** What the registry is to say of the module; undefined where that is to stay as it is. */
function updateOf(
  { manifest, folder }: PreparedModule,
  { update }: UploadCommand,
): VersionUpload['update'] {
  if (!update) return undefined;
  const ground = { readBeside: readBeside(folder, plainWords), l10n: plainWords };
  return (current) => moduleUpdateOf(manifest, current, ground);
}
