import { FleetError } from '../core/api/errors';
import type { BuildFacts, NamedFiles } from '../core/modules/buildFacts';
import type {
  BuildReader,
  ReadArchiveOptions,
  ReadBuildOptions,
} from '../core/modules/upload/buildReader';
import { FileChanged } from './diskPieces';
import { codeOf } from './fileErrors';
import { inspectBuild } from './inspectBuild';
import { BuildReplaced, packBuild } from './packBuild';

/** Builds in folders and archives of this machine. Failures are told as `FleetError`. */
export class DiskBuilds implements BuildReader {
  async inspect(path: string, named: NamedFiles, options: ReadBuildOptions): Promise<BuildFacts> {
    try {
      return await inspectBuild(path, named, options);
    } catch (error) {
      throw readFailure(error, path);
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
      throw readFailure(error, path);
    }
  }
}

function readFailure(cause: unknown, path: string): unknown {
  if (cause instanceof FileChanged) {
    return new FleetError(
      'conflict',
      `${cause.path} changed while it was read. Upload again once nothing writes to it.`,
      { cause },
    );
  }
  if (cause instanceof BuildReplaced) {
    return new FleetError(
      'conflict',
      `${cause.path} changed since it was checked. Upload again, which checks it anew.`,
      { cause },
    );
  }
  const code = codeOf(cause);
  const place = pathOf(cause) ?? path;
  switch (code) {
    // What is aborted has a code of Node, too.
    case 'ABORT_ERR':
    case undefined:
      return cause;
    case 'ENOENT':
      return new FleetError('notFound', `${place} is not there. Build the module first.`, {
        cause,
      });
    case 'EACCES':
    case 'EPERM':
      return new FleetError('invalid', `${place} may not be read by you.`, { cause });
    default:
      return new FleetError('invalid', `${place} cannot be read (${code}).`, { cause });
  }
}

function pathOf(error: unknown): string | undefined {
  const isPlaced = error instanceof Error && 'path' in error && typeof error.path === 'string';
  return isPlaced ? String(error.path) : undefined;
}
