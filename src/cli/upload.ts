import { hasErrors, type PreparedModule, prepareModule } from '../archives/prepareModule';
import { createSiblingReader } from '../archives/readDiskChunks';
import { findingLine, reportedFinding } from '../core/modules/manifest/formatFinding';
import type { Platform } from '../core/modules/platforms';
import type { BuildReader } from '../core/modules/buildFacts';
import { uploadPrepared } from '../core/modules/upload/uploadPrepared';
import { versionProblem } from '../core/modules/upload/versionProblem';
import { englishLocalizer } from '../base/localizer';
import { type UploadCommand, UsageError } from './commandLine';
import type { CommandSession, Connect } from './connect';
import { EXIT_DONE, EXIT_UNFIT, type Output, printJson } from './report';

/** Dependencies of an upload. */
export interface UploadDeps {
  readonly connect: (
    ...options: Parameters<Connect>
  ) => Promise<Pick<CommandSession, 'stores' | 'dispose'>>;
  readonly reader: BuildReader;
}

/**
 * Uploads a build as a version of its module, after updating the registry entry from the manifest.
 * @returns the exit code. @throws UsageError and FleetError; in these cases, no version is
 *   registered.
 */
export async function upload(
  command: UploadCommand,
  output: Output,
  { connect, reader }: UploadDeps,
  signal: AbortSignal,
): Promise<number> {
  requireVersion(command.version);
  const module = await prepareModule(command, reader, signal);
  const findings = module.findings.map((finding) => reportedFinding(finding, englishLocalizer));
  for (const finding of findings) output.say(findingLine(finding));
  if (!module.manifest || (hasErrors(module.findings) && !command.force)) {
    if (command.json) printJson(output, { ok: false, findings });
    return EXIT_UNFIT;
  }
  const platform = requirePlatform(module);
  const session = await connect(command);
  try {
    const { version, platformTags, update } = command;
    const { item, bytes } = await uploadPrepared(
      { ...module, platform, version, platformTags, update },
      {
        registry: session.stores.registry,
        reader,
        signal,
        say: output.say,
        readSibling: createSiblingReader(module.folder, englishLocalizer),
      },
    );
    if (command.json) {
      printJson(output, { ok: true, moduleId: item.id, version, platform, bytes, findings });
    } else {
      output.result(`Uploaded ${item.id} ${version} for ${platform} (${bytes} bytes).`);
    }
    return EXIT_DONE;
  } finally {
    session.dispose();
  }
}

/** Validates the version before any file is read. */
function requireVersion(version: string): void {
  const problem = versionProblem(version, [], []);
  if (problem?.kind === 'tooLong') throw new UsageError('--version is too long');
  if (!problem) return;
  throw new UsageError(`--version must be a semantic version such as 1.2.3, not "${version}"`);
}

function requirePlatform({ platform }: PreparedModule): Platform {
  if (platform !== undefined) return platform;
  throw new UsageError(
    "the platform of the build can't be detected: specify --platform, for example linux/arm64 or any",
  );
}
