import type { BuildFacts, NamedFiles } from '../core/modules/buildFacts';
import type {
  BuildReader,
  ReadArchiveOptions,
  ReadBuildOptions,
} from '../core/modules/upload/buildReader';
import type { Localizer } from '../base/localizer';
import { inspectBuild } from './inspectBuild';
import { packBuild } from './packBuild';
import { readFailure } from './readFailure';

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
