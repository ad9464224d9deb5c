import { getErrorCode } from '../base/errorCode';
import type {
  BuildFacts,
  BuildReader,
  NamedFiles,
  ReadArchiveOptions,
  ReadBuildOptions,
} from '../core/modules/buildFacts';
import type { Localizer } from '../base/localizer';
import { inspectBuild } from './inspectBuild';
import { BuildReplacedError, packBuild } from './packBuild';
import { FleetError } from '../core/api/errors';
import { toDisplayText } from '../core/model/displayText';
import { FileChangedError } from './readDiskChunks';
import { IgnoreRulesError } from './ignoreRules';

/** Reads builds in folders and archives on this computer. Reports failures as `FleetError`. */
export class DiskBuilds implements BuildReader {
  /** @param l10n localizes the error messages */
  constructor(private readonly l10n: Localizer) {}

  async inspect(path: string, named: NamedFiles, options: ReadBuildOptions): Promise<BuildFacts> {
    try {
      return await inspectBuild(path, named, options);
    } catch (error) {
      throw readFailure(error, path, this.l10n);
    }
  }

  async *read(
    path: string,
    { entrypoint, firstRun }: NamedFiles,
    options: ReadArchiveOptions,
  ): AsyncGenerator<Uint8Array> {
    const executables = [entrypoint, firstRun].filter((file) => file !== undefined);
    try {
      yield* packBuild(path, { ...options, executables });
    } catch (error) {
      throw readFailure(error, path, this.l10n);
    }
  }
}

/**
 * Converts an error from reading the build at `path` to a user-facing error. Returns unrelated
 * errors unchanged.
 */
function readFailure(cause: unknown, path: string, l10n: Localizer): unknown {
  if (cause instanceof FileChangedError) {
    const changed = l10n.t(
      '{0} changed while it was being read. Upload it again when no program is writing to it.',
      toDisplayText(cause.path),
    );
    return new FleetError('conflict', changed, { cause });
  }
  if (cause instanceof BuildReplacedError) {
    const replaced = l10n.t(
      '{0} changed after it was checked. Upload it again to repeat the check.',
      toDisplayText(cause.path),
    );
    return new FleetError('conflict', replaced, { cause });
  }
  if (cause instanceof IgnoreRulesError) {
    const message = l10n.t(
      "{0} can't be used. It must be a file, not a link, with at most 1,000 lines and 100,000 bytes.",
      toDisplayText(cause.path),
    );
    return new FleetError('invalid', message, { cause });
  }
  return ofSystem(cause, toDisplayText(getErrorPath(cause) ?? path), l10n);
}

function ofSystem(cause: unknown, path: string, l10n: Localizer): unknown {
  const code = getErrorCode(cause);
  switch (code) {
    // Node also sets an error code on aborts.
    case 'ABORT_ERR':
    case undefined:
      return cause;
    case 'ENOENT':
      // Bytes that aren't valid UTF-8 are decoded as U+FFFD, so a path with this character doesn't
      // lead to the actual file.
      if (path.includes('\uFFFD')) return unusableName(path, cause, l10n);
      return new FleetError(
        'notFound',
        l10n.t("{0} doesn't exist. Build the module first.", path),
        {
          cause,
        },
      );
    case 'EACCES':
    case 'EPERM':
      return new FleetError('invalid', l10n.t('You don\'t have permission to read "{0}".', path), {
        cause,
      });
    default:
      return new FleetError('invalid', l10n.t("Couldn't read {0} (error {1}).", path, code), {
        cause,
      });
  }
}

function unusableName(path: string, cause: unknown, l10n: Localizer): FleetError {
  const message = l10n.t(
    'The name of "{0}" is not valid UTF-8. Rename the file or folder, then try again.',
    path,
  );
  return new FleetError('invalid', message, { cause });
}

function getErrorPath(error: unknown): string | undefined {
  const isPlaced = error instanceof Error && 'path' in error && typeof error.path === 'string';
  return isPlaced ? String(error.path) : undefined;
}
