import { lstat, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, extname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { DiskBuilds } from '../archives/diskBuilds';
import { prepareModule, readModule } from '../archives/prepareModule';
import { createSiblingReader } from '../archives/readDiskChunks';
import { leavesFolder } from '../archives/safePaths';
import { englishLocalizer } from '../base/localizer';
import type {
  ToolWorkspace,
  WorkspaceFile,
  WorkspaceModule,
  WorkspaceSource,
} from '../core/agentTools/toolWorkspace';
import { FleetError } from '../core/api/errors';
import type { BuildReader, ListedEntry } from '../core/modules/buildFacts';
import { listDescriptions } from '../core/modules/manifest/checkSources';
import { formatManifestDiagnostic } from '../core/modules/manifest/formatManifestDiagnostic';
import type { ManifestDiagnostic } from '../core/modules/manifest/manifestDiagnostic';
import { insidePath } from '../core/modules/manifest/manifestPath';
import { MANIFEST_NAME, type ModuleManifest } from '../core/modules/manifest/moduleManifest';
import { FileExistsError, PartialFile } from './partialFile';
import { SpoolFolder } from './spoolFolder';

/** Characters that names can't have, that are invisible, or that name a stream on Windows. */
const UNUSABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}<>:"/\\|?*]/u;

/** File or folder in the workspace. */
interface Location {
  /** Absolute path without links. */
  readonly path: string;
  /** Path from the workspace folder, with `/`. */
  readonly name: string;
}

/** Folders on this computer whose files agents can use. */
export class AgentWorkspace implements ToolWorkspace {
  /** @param listFolders returns the absolute paths of the current folders */
  constructor(private readonly listFolders: () => readonly string[]) {}

  async inspectModule(
    { folder, build, platform }: WorkspaceSource,
    signal: AbortSignal,
  ): Promise<WorkspaceModule> {
    const module = await this.locate(folder);
    // A link could lead to any manifest, and thus to the build in its folder.
    const manifestPath = join(module.path, MANIFEST_NAME);
    await this.requireSame(manifestPath);
    const read = await readModule(manifestPath);
    if (!read.manifest) throw createManifestError(read.problems);
    const path = build ?? resolve(module.path, read.manifest.build.path ?? '.');
    const source = await this.locate(path);
    const files: ListedEntry[] = [];
    const reader = new DiskBuilds(englishLocalizer);
    const listing: BuildReader = {
      read: (...args) => reader.read(...args),
      inspect: (at, named, options) => {
        const onEntry = (entry: ListedEntry): void => {
          if (entry.type === 'file') files.push({ ...entry });
        };
        return reader.inspect(at, named, { ...options, onEntry });
      },
    };
    const prepared = await prepareModule(
      { manifest: manifestPath, build: source.path, isBuildNamed: true, platform },
      listing,
      signal,
    );
    if (!prepared.manifest) throw createManifestError(prepared.diagnostics);
    const descriptions = await readDescriptions(module.path, prepared.manifest);
    // A folder can have been replaced by a link. A later replacement changes the fingerprint.
    await this.requireSame(manifestPath);
    await this.requireSame(source.path);
    return {
      ...prepared,
      buildName: source.name,
      files,
      reader,
      descriptions,
      readSibling: (file) => {
        const path = insidePath(file);
        const description = descriptions.find((one) => one.path === path);
        if (description) return Promise.resolve(description.text);
        return Promise.reject(new FleetError('internal', 'The description was not inspected.'));
      },
    };
  }

  async createFile(path: string, extension: string): Promise<WorkspaceFile> {
    const name = basename(path);
    if (UNUSABLE.test(name) || extname(name) !== `.${extension}`) {
      throw new FleetError('invalid', `path must be the path of a new file, ending .${extension}.`);
    }
    const folder = await this.locate(dirname(path));
    const target = join(folder.path, name);
    const existing = await lstat(target).catch(() => undefined);
    if (existing) throw createExistsError();
    const temporary = await mkdtemp(join(tmpdir(), 'fleetwright-export-'));
    const removeTemporary = (): Promise<void> => rm(temporary, { recursive: true, force: true });
    const file = await PartialFile.create(target).catch(async (error: unknown) => {
      await removeTemporary();
      throw toWriteError(error);
    });
    // A folder can have been replaced by a link. Without the partial file, a later replacement has no
    // effect.
    await this.requireSame(folder.path).catch(async (error: unknown) => {
      await removeTemporary();
      await file.discard();
      throw error;
    });
    return {
      name: folder.name === '.' ? name : `${folder.name}/${name}`,
      spools: new SpoolFolder(temporary, (reason) => `Temporary rows can't be stored: ${reason}.`),
      write: (bytes) => file.write(bytes).catch(throwWriteError),
      rewrite: (from, change) => file.rewrite(from, change).catch(throwWriteError),
      finish: async () => {
        await removeTemporary();
        await file.finishNew().catch(throwWriteError);
      },
      discard: async () => {
        await removeTemporary();
        await file.discard();
      },
    };
  }

  /** @throws FleetError `permission` if an absolute path without links now has links */
  private async requireSame(path: string): Promise<void> {
    if ((await this.locate(path)).path !== path) throw createOutsideError();
  }

  /**
   * Returns a file or folder in the workspace.
   * @param path absolute, or relative to a workspace folder
   * @throws FleetError `permission` if it is outside, also through links, or if it doesn't exist. The
   *   error is the same, so that agents can't find out which files exist elsewhere.
   */
  private async locate(path: string): Promise<Location> {
    const folders = this.listFolders();
    const roots = await Promise.all(folders.map((one) => realpath(one).catch(() => one)));
    const candidates = isAbsolute(path) ? [path] : roots.map((root) => resolve(root, path));
    for (const candidate of candidates) {
      const real = await realpath(candidate).catch(() => undefined);
      const root = real !== undefined && roots.find((one) => !leavesFolder(relative(one, real)));
      if (real === undefined || root === undefined || root === false) continue;
      return { path: real, name: relative(root, real).split(sep).join('/') || '.' };
    }
    throw createOutsideError();
  }
}

/**
 * Reads the descriptions that an upload publishes, because they can change while the confirmation is
 * open.
 * @throws FleetError for a description that can't be published
 */
async function readDescriptions(
  folder: string,
  manifest: ModuleManifest,
): Promise<WorkspaceModule['descriptions']> {
  const read = createSiblingReader(folder, englishLocalizer);
  const paths = new Set(listDescriptions(manifest).map(({ file }) => file));
  return Promise.all([...paths].map(async (path) => ({ path, text: await read(path) })));
}

function createOutsideError(): FleetError {
  return new FleetError(
    'permission',
    "The path isn't in the workspace, or it doesn't exist. Links that lead out of the workspace can't be used.",
  );
}

function createManifestError(diagnostics: readonly ManifestDiagnostic[]): FleetError {
  const sentences = diagnostics.map((diagnostic) =>
    formatManifestDiagnostic(diagnostic, englishLocalizer),
  );
  return new FleetError('invalid', `meta.json can't be read: ${sentences.join(' ')}`);
}

function createExistsError(cause?: unknown): FleetError {
  const message = 'A file with this path already exists. Use another path.';
  return new FleetError('conflict', message, { cause });
}

function throwWriteError(error: unknown): never {
  throw toWriteError(error);
}

/** Converts the error of a file; returns other errors unchanged. */
function toWriteError(cause: unknown): unknown {
  if (cause instanceof FileExistsError) return createExistsError(cause);
  if (!(cause instanceof Error && 'syscall' in cause && 'code' in cause)) return cause;
  const message = `The file can't be written (error ${String(cause.code)}). Use another path.`;
  return new FleetError('invalid', message, { cause });
}
