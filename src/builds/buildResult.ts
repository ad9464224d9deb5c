import { cp, lstat, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, relative, resolve, sep } from 'node:path';
import { KEPT_MARK } from '../core/modules/build/keptMark';
import { platformArchive } from '../core/modules/build/platformArchive';
import type { Platform } from '../core/modules/platforms';
import { BuildFailure } from './buildFailure';

const MARK_TEXT = 'Created by a build for several platforms, which replaces this folder.\n';

/** What a build made. */
export interface BuildResult {
  /** Absent where the build was not for any platform in particular. */
  readonly platform: Platform | undefined;
  /** Relative to the manifest's folder. */
  readonly path: string;
  readonly isFolder: boolean;
  /** Of an archive; of a folder it says nothing. */
  readonly bytes: number;
  /** Whether it is older than the build, which had nothing to do then, or writes somewhere else. */
  readonly isOld: boolean;
}

/**
 * Looks for what a build was to make.
 *
 * @param startedAt in milliseconds, when the build began
 * @throws BuildFailure when nothing is there
 */
export async function findResult(
  folder: string,
  path: string,
  startedAt: number,
): Promise<Omit<BuildResult, 'platform'>> {
  const found = await stat(resolve(folder, path)).catch(() => undefined);
  if (!found) {
    throw new BuildFailure(
      `The build succeeded, but ${path}, which "build.path" of the manifest names, doesn't exist.`,
    );
  }
  const isFolder = found.isDirectory();
  return { path, isFolder, bytes: found.size, isOld: !isFolder && found.mtimeMs < startedAt };
}

/**
 * Holds on to the builds of several platforms, which all come to one path. They wait outside of the
 * folder until all are made: the next build may clear its folder, or pack everything that is in it.
 */
export class KeptResults {
  private readonly held: { readonly from: string; readonly result: BuildResult }[] = [];
  private waiting: string | undefined;

  /** @param folder the manifest's, which nothing is kept outside of */
  constructor(private readonly folder: string) {}

  /**
   * Makes sure that nothing is lost where the results of these platforms go: archives of earlier builds
   * are replaced, and of folders those that were put there by a build.
   * @param path `build.path` of the manifest
   * @throws BuildFailure that names what is in the way
   */
  async requireRoom(path: string, platforms: readonly Platform[]): Promise<void> {
    for (const platform of platforms) await this.requireOwn(platformArchive(path, platform));
  }

  /** Keeps what stands at the path of a result. @throws BuildFailure when that is not in the folder. */
  async hold(result: BuildResult, platform: Platform): Promise<void> {
    const place = resolve(this.folder, result.path);
    const inside = relative(this.folder, place);
    if (
      inside === '' ||
      inside === '..' ||
      inside.startsWith(`..${sep}`) ||
      resolve(inside) === inside
    ) {
      throw new BuildFailure(
        `Builds for several platforms are saved next to "build.path", but ${result.path} is not in the folder of the manifest. Build for one platform at a time.`,
      );
    }
    this.waiting ??= await mkdtemp(join(tmpdir(), 'fleetwright-build-'));
    const from = join(this.waiting, String(this.held.length), basename(place));
    await cp(place, from, { recursive: true, verbatimSymlinks: true });
    const path = platformArchive(result.path, platform);
    this.held.push({ from, result: { ...result, path } });
  }

  /** Puts all of them beside their path, each under a name with its platform. */
  async place(): Promise<readonly BuildResult[]> {
    for (const { from, result } of this.held) {
      await this.requireOwn(result.path);
      const to = resolve(this.folder, result.path);
      await rm(to, { recursive: true, force: true });
      await cp(from, to, { recursive: true, verbatimSymlinks: true });
      if (result.isFolder) await writeFile(join(to, KEPT_MARK), MARK_TEXT);
    }
    return this.held.map(({ result }) => result);
  }

  private async requireOwn(path: string): Promise<void> {
    const place = resolve(this.folder, path);
    const found = await lstat(place).catch(() => undefined);
    if (!found?.isDirectory()) return;
    const isOwn = await lstat(join(place, KEPT_MARK)).then(
      (mark) => mark.isFile(),
      () => false,
    );
    if (isOwn || (await readdir(place)).length === 0) return;
    throw new BuildFailure(
      `A build for several platforms would replace the folder ${path}, which was not created by a build. Move it away, or set "build.path" to another name.`,
    );
  }

  /** Takes away what is waiting. */
  async end(): Promise<void> {
    if (this.waiting !== undefined) await rm(this.waiting, { recursive: true, force: true });
  }
}
