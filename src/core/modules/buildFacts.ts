import type { Platform } from './platforms';
import type { ProgramHead } from './programHead';

/** Maximum number of entries in a build. Machines must unpack each entry. */
export const MAX_ENTRIES = 100_000;
/**
 * Maximum unpacked size of a build in bytes. The client reads the entire build before the upload,
 * and machines must store it.
 */
export const MAX_BYTES = 64 * 1024 ** 3;
/** Maximum number of problems to report for one build. More problems wouldn't be helpful. */
export const MAX_PROBLEMS = 100;

/**
 * Files in a build that its manifest specifies. Paths are relative to the build's root, with `/`.
 */
export interface NamedFiles {
  readonly entrypoint?: string | undefined;
  readonly firstRun?: string | undefined;
}

/** Result of inspecting a folder or an archive before the upload. */
export interface BuildFacts {
  readonly form: 'folder' | 'archive';
  /** Number of files, folders, and links, up to `MAX_ENTRIES`. */
  readonly entries: number;
  /** Total unpacked size of all files. */
  readonly bytes: number;
  /** Size of the archive in bytes; absent for a folder, which is packed on the fly. */
  readonly archiveBytes: number | undefined;
  /**
   * Fingerprint of the inspected build, for detecting that the path contains a different build.
   * Absent if the inspection was partial.
   */
  readonly fingerprint?: string | undefined;
  /** State of the entrypoint; absent if the manifest doesn't specify one. */
  readonly entrypoint: NamedFileFacts | undefined;
  readonly firstRun: NamedFileFacts | undefined;
  /** Problems in build order, at most `MAX_PROBLEMS`. Each of them prevents an upload. */
  readonly problems: readonly BuildProblem[];
}

/** State of a file that the manifest specifies. */
export interface NamedFileFacts {
  readonly path: string;
  readonly state: NamedFileState;
  /** Platform from a program's header; absent for scripts and for files that aren't programs. */
  readonly platform: Platform | undefined;
  /**
   * Type of the file according to its first bytes (`readProgramHead`); absent if the entry isn't a
   * file or wasn't read.
   */
  readonly program?: ProgramHead | undefined;
  /** Similar files in the build, best match first, if the specified file can't be used. */
  readonly candidates: readonly string[];
}

export type NamedFileState =
  | 'ok'
  | 'missing'
  | 'directory'
  /**
   * The file has no execute permission. Never reported for a folder on Windows, which has no such
   * permission.
   */
  | 'notExecutable'
  /** The path is absolute, or leads out of the build, directly or through a link. */
  | 'outside'
  /** The entry is neither a file nor a folder, or it is a broken link. */
  | 'notFile';

/** Reason that a build can't be uploaded. */
export interface BuildProblem {
  readonly code: BuildProblemCode;
  /** Path of the entry in the build, which is untrusted text; empty for the whole build. */
  readonly path: string;
  /** Target of a link. */
  readonly target?: string | undefined;
}

export type BuildProblemCode =
  /** The link leads out of the build. */
  | 'linkOutside'
  /** The link is part of a cycle. */
  | 'linkLoop'
  | 'absolutePath'
  /** The path contains `..`. */
  | 'parentPath'
  /** An entry's path or a link's target exceeds the limits of file systems. */
  | 'longPath'
  /** A name contains a line break or another control character. */
  | 'controlCharacters'
  /** Two entries have the same path, so only the last one would remain. */
  | 'duplicate'
  | 'tooManyEntries'
  | 'tooManyBytes'
  /** The entry is a device, a pipe, or a socket. */
  | 'specialFile'
  | 'noEntries'
  /** The entry can't be read because of missing permissions. */
  | 'unreadable'
  /** The file isn't in gzip format, or doesn't contain a tar archive. */
  | 'notAnArchive'
  | 'zipArchive'
  /** The file is a tar archive without gzip compression. */
  | 'plainTar'
  /** The archive is truncated, or its checksum is wrong. */
  | 'damaged';

/** Reads builds on this computer: folders and `.tar.gz` archives. */
export interface BuildReader {
  /** Inspects a build. @throws file system errors if the build doesn't exist. */
  inspect(path: string, named: NamedFiles, options: ReadBuildOptions): Promise<BuildFacts>;
  /**
   * Yields the bytes of a build as a `.tar.gz` archive, only as fast as they are consumed. The
   * bytes are the same every time.
   * @throws FleetError if the build can't be read; `conflict` if it changes during the read or
   *   isn't the inspected build
   */
  read(path: string, named: NamedFiles, options: ReadArchiveOptions): AsyncIterable<Uint8Array>;
}

export interface ReadArchiveOptions extends ReadBuildOptions {
  /** Fingerprint of the inspected build; a build with a different fingerprint is rejected. */
  readonly fingerprint?: string | undefined;
}

export interface ReadBuildOptions {
  readonly signal: AbortSignal;
  /**
   * Called with the number of file bytes as they are read. For a folder, this exceeds the number of
   * sent bytes.
   */
  readonly onRead?: ((bytes: number) => void) | undefined;
  /** Called for each entry that an upload would contain. Its path is untrusted text. */
  readonly onEntry?: ((entry: ListedEntry) => void) | undefined;
}

/** Entry in a build. */
export interface ListedEntry {
  /** Path from the root of the build, with `/`. */
  readonly path: string;
  readonly type: 'file' | 'folder' | 'link' | 'hardLink' | 'special';
  /** Size of a file in bytes; 0 for other entries. */
  readonly size: number;
}

/**
 * File that a training job starts. An archive can contain it inside one folder, as in Python source
 * packages.
 */
export const TRAINING_FILE = 'model/training.py';

/**
 * Returns true if a folder or archive contains the file that a training job starts. @param facts
 * facts about the build, inspected with that file as the entrypoint
 */
export function hasTrainingFile({ entrypoint }: Pick<BuildFacts, 'entrypoint'>): boolean {
  if (!entrypoint) return false;
  const { state, candidates } = entrypoint;
  // Python reads the script, so the script needs no execute permission.
  if (state === 'ok' || state === 'notExecutable') return true;
  const depth = TRAINING_FILE.split('/').length + 1;
  return candidates.some(
    (path) => path.endsWith(`/${TRAINING_FILE}`) && path.split('/').length === depth,
  );
}
