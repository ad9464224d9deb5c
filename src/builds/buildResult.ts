import { cp, lstat, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, relative, resolve, sep } from 'node:path';
import { forEachBounded } from '../base/bounded';
import { BUILD_MARKER, platformArchive } from '../core/modules/buildPlan';
import type { Platform } from '../core/modules/platforms';
import { BuildError } from './runCommand';

const MARK_TEXT = 'Created by a build for several platforms, which replaces this folder.\n';

/** Maximum number of concurrent stat calls for the files in a folder. */
const CONCURRENT_STATS = 16;

/** Output of a build. */
export interface BuildResult {
  /** Absent if the build wasn't for a specific platform. */
  readonly platform: Platform | undefined;
  /** Path relative to the manifest's folder. */
  readonly path: string;
  readonly isFolder: boolean;
  /** Size of an archive in bytes; meaningless for a folder. */
  readonly bytes: number;
  /**
   * True if the output was written before the build started. Either the build had nothing to do, or
   * it writes to another path.
   */
  readonly isOld: boolean;
}

/**
 * Finds a build's output.
 *
 * @param startedAt time in milliseconds when the build started
 * @throws BuildError when there is no output
 */
export async function findResult(
  folder: string,
  path: string,
  startedAt: number,
): Promise<Omit<BuildResult, 'platform'>> {
  const found = await stat(resolve(folder, path)).catch(() => undefined);
  if (!found) {
    throw new BuildError(
      `The build succeeded, but ${path}, which "build.path" of the manifest names, doesn't exist.`,
    );
  }
  const isFolder = found.isDirectory();
  return { path, isFolder, bytes: found.size, isOld: !isFolder && found.mtimeMs < startedAt };
}

/**
 * Returns the time in milliseconds of the last change to a build's output; undefined if there is no
 * output. Uses the change times of files, which commands that set the modification times also
 * update.
 */
export async function getChangeTime(folder: string, path: string): Promise<number | undefined> {
  const fullPath = resolve(folder, path);
  const found = await stat(fullPath).catch(() => undefined);
  if (!found?.isDirectory()) return found?.ctimeMs;
  let newest = found.ctimeMs;
  const names = await readdir(fullPath, { recursive: true });
  await forEachBounded(names, CONCURRENT_STATS, async (name) => {
    const entry = await lstat(join(fullPath, name));
    newest = Math.max(newest, entry.ctimeMs);
  });
  return newest;
}

/**
 * Saves the outputs of builds for multiple platforms that write to the same path. Stores the
 * outputs outside the folder until all builds are done, because the next build can clear its folder
 * or pack everything in it.
 */
export class StagedResults {
  private readonly staged: { readonly from: string; readonly result: BuildResult }[] = [];
  private waiting: string | undefined;

  /** @param folder the manifest's folder; outputs outside of it are not saved */
  constructor(private readonly folder: string) {}

  /**
   * Checks that moving the outputs of these platforms into place doesn't overwrite user files. Only
   * archives from earlier builds and folders that a build created can be replaced.
   * @param path `build.path` of the manifest
   * @throws BuildError that names the file in the way
   */
  async requireRoom(path: string, platforms: readonly Platform[]): Promise<void> {
    for (const platform of platforms) await this.requireOwn(platformArchive(path, platform));
  }

  /**
   * Saves the output at the path of a result. @throws BuildError when the output isn't in the
   * folder.
   */
  async stage(result: BuildResult, platform: Platform): Promise<void> {
    const fullPath = resolve(this.folder, result.path);
    const inside = relative(this.folder, fullPath);
    if (
      inside === '' ||
      inside === '..' ||
      inside.startsWith(`..${sep}`) ||
      resolve(inside) === inside
    ) {
      throw new BuildError(
        `Builds for several platforms are saved next to "build.path", but ${result.path} is not in the folder of the manifest. Build for one platform at a time.`,
      );
    }
    this.waiting ??= await mkdtemp(join(tmpdir(), 'fleetwright-build-'));
    const from = join(this.waiting, String(this.staged.length), basename(fullPath));
    await cp(fullPath, from, { recursive: true, verbatimSymlinks: true });
    const path = platformArchive(result.path, platform);
    this.staged.push({ from, result: { ...result, path, isOld: false } });
  }

  /** Moves each saved output next to its original path, under a name that includes its platform. */
  async copyToOutputs(): Promise<readonly BuildResult[]> {
    for (const { from, result } of this.staged) {
      await this.requireOwn(result.path);
      const to = resolve(this.folder, result.path);
      await rm(to, { recursive: true, force: true });
      await cp(from, to, { recursive: true, verbatimSymlinks: true });
      if (result.isFolder) await writeFile(join(to, BUILD_MARKER), MARK_TEXT);
    }
    return this.staged.map(({ result }) => result);
  }

  private async requireOwn(path: string): Promise<void> {
    const fullPath = resolve(this.folder, path);
    const found = await lstat(fullPath).catch(() => undefined);
    if (!found?.isDirectory()) return;
    const isOwn = await lstat(join(fullPath, BUILD_MARKER)).then(
      (mark) => mark.isFile(),
      () => false,
    );
    if (isOwn || (await readdir(fullPath)).length === 0) return;
    throw new BuildError(
      `A build for several platforms would replace the folder ${path}, which was not created by a build. Move it away, or set "build.path" to another name.`,
    );
  }

  /** Removes the saved outputs that were not moved into place. */
  async end(): Promise<void> {
    if (this.waiting !== undefined) await rm(this.waiting, { recursive: true, force: true });
  }
}
