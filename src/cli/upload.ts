import { hasErrors, type PreparedModule, prepareModule } from '../archives/prepareModule';
import { createSiblingReader } from '../archives/readDiskChunks';
import {
  endSentence,
  type FleetError,
  isCanceled,
  isOutcomeUnknown,
  toFleetError,
} from '../core/api/errors';
import { registryItemId } from '../core/model/ids';
import {
  formatDiagnosticLine,
  toReportedDiagnostic,
} from '../core/modules/manifest/formatManifestDiagnostic';
import type { Platform } from '../core/modules/platforms';
import type { BuildReader } from '../core/modules/buildFacts';
import { isRegistered, type UploadStep } from '../core/modules/upload/uploadBuilds';
import { uploadPrepared } from '../core/modules/upload/uploadPrepared';
import { versionProblem } from '../core/modules/upload/versionProblem';
import { englishLocalizer } from '../base/localizer';
import { type UploadCommand, UsageError } from './commandLine';
import type { CommandSession, Connect } from './connect';
import { EXIT_DONE, EXIT_FAILED, EXIT_UNFIT, type Output, printJson, reportError } from './report';

/** Maximum time in milliseconds for checking whether an interrupted upload is complete. */
const RECHECK_TIMEOUT_MS = 5_000;

/** Dependencies of an upload. */
export interface UploadDeps {
  readonly connect: (
    ...options: Parameters<Connect>
  ) => Promise<Pick<CommandSession, 'stores' | 'dispose'>>;
  readonly reader: BuildReader;
}

/**
 * Uploads a build as a version of its module, after updating the registry entry from the manifest.
 * @returns the exit code. @throws UsageError and FleetError; in these cases, nothing was sent.
 */
export async function upload(
  command: UploadCommand,
  output: Output,
  { connect, reader }: UploadDeps,
  signal: AbortSignal,
): Promise<number> {
  requireVersion(command.version);
  const module = await prepareModule(command, reader, signal);
  const diagnostics = module.diagnostics.map((diagnostic) =>
    toReportedDiagnostic(diagnostic, englishLocalizer),
  );
  for (const diagnostic of diagnostics) output.say(formatDiagnosticLine(diagnostic));
  if (!module.manifest || (hasErrors(module.diagnostics) && !command.force)) {
    if (command.json) printJson(output, { ok: false, findings: diagnostics });
    return EXIT_UNFIT;
  }
  const platform = requirePlatform(module);
  const session = await connect(command);
  const { registry } = session.stores;
  const { version, platformTags, update, json } = command;
  const steps = new Set<UploadStep>();
  try {
    const { item, bytes } = await uploadPrepared(
      { ...module, platform, version, platformTags, update },
      {
        registry,
        reader,
        signal,
        say: output.say,
        onStep: (step) => steps.add(step),
        readSibling: createSiblingReader(module.folder, englishLocalizer),
      },
    );
    if (json) {
      printJson(output, {
        ok: true,
        moduleId: item.id,
        version,
        platform,
        bytes,
        findings: diagnostics,
      });
    } else {
      output.result(`Uploaded ${item.id} ${version} for ${platform} (${bytes} bytes).`);
    }
    return EXIT_DONE;
  } catch (thrown) {
    const error = toFleetError(thrown);
    const sentences = [isCanceled(error) ? 'Canceled.' : endSentence(error.message)];
    if (isOutcomeUnknown(error) && steps.has('uploading')) {
      const id = registryItemId(module.manifest.moduleId);
      const timeout = AbortSignal.timeout(RECHECK_TIMEOUT_MS);
      const isThere = await isRegistered(registry, { id }, { version, platform }, timeout);
      sentences.push(describeRegistration(`${id} ${version}`, platform, isThere));
    } else if (isOutcomeUnknown(error)) {
      sentences.push('No version was uploaded.');
    }
    if (update) sentences.push(...describeUpdate(error, steps));
    reportError(output, { kind: error.kind, message: sentences.join(' ') }, json);
    return EXIT_FAILED;
  } finally {
    session.dispose();
  }
}

function describeRegistration(
  version: string,
  platform: Platform,
  isThere: boolean | undefined,
): string {
  if (isThere === undefined) {
    return `${version} might be registered for ${platform}. Check the module page before you upload it again.`;
  }
  return `${version} is ${isThere ? 'registered' : 'not registered'} for ${platform}.`;
}

/** Describes what a failed upload did to the metadata; nothing if the error implies that. */
function describeUpdate(error: FleetError, steps: ReadonlySet<UploadStep>): readonly string[] {
  if (steps.has('updated')) return ["The module's metadata was updated."];
  if (!isOutcomeUnknown(error)) return [];
  return steps.has('updating')
    ? ["The module's metadata might have been updated."]
    : ["The module's metadata was not updated."];
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
