import type { Platform } from './platforms';
import type { ProgramHead } from './programs/programHead';

/** Maximum number of entries of a build: machines unpack each of them. */
export const MAX_ENTRIES = 100_000;
/**
 * Maximum size of a build in bytes, unpacked: machines must store it, and it is read before the
 * upload.
 */
export const MAX_BYTES = 64 * 1024 ** 3;
/** Maximum number of reported problems of one build; more add nothing. */
export const MAX_PROBLEMS = 100;

/**
 * Files of a build that its manifest names. Paths are relative to the root of the build, with `/`.
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
  /** Total size of all files, unpacked. */
  readonly bytes: number;
  /** Size of the archive; absent for a folder, which is packed on the fly. */
  readonly archiveBytes: number | undefined;
  /**
   * Fingerprint of the inspected build: a different build at the same path has another one. Absent
   * if the inspection was partial.
   */
  readonly fingerprint?: string | undefined;
  /** Absent if the manifest names none. */
  readonly entrypoint: NamedFileFacts | undefined;
  readonly firstRun: NamedFileFacts | undefined;
  /**
   * Problems in the order of the build, at most `MAX_PROBLEMS`. Each of them prevents the upload.
   */
  readonly problems: readonly BuildProblem[];
}

/** State of a file that the manifest names. */
export interface NamedFileFacts {
  readonly path: string;
  readonly state: NamedFileState;
  /**
   * Platform from the header of a program; absent for scripts and for files that aren't programs.
   */
  readonly platform: Platform | undefined;
  /**
   * Type according to its first bytes (`readProgramHead`); absent if it isn't a file or wasn't
   * read.
   */
  readonly program?: ProgramHead | undefined;
  /** Similar files of the build, the best match first, if the named file can't be used. */
  readonly candidates: readonly string[];
}

export type NamedFileState =
  | 'ok'
  | 'missing'
  | 'directory'
  /** No execute permission. Never reported for a folder on Windows, which doesn't have it. */
  | 'notExecutable'
  /** An absolute path, or one that leads out of the build, directly or through a link. */
  | 'outside'
  /** Neither a file nor a folder, or a broken link. */
  | 'notFile';

/** Reason why a build can't be uploaded. */
export interface BuildProblem {
  readonly code: BuildProblemCode;
  /** Path of the entry in the build: remote text. Empty for the whole build. */
  readonly path: string;
  /** Target of a link. */
  readonly target?: string | undefined;
}

export type BuildProblemCode =
  /** A link that leads out of the build. */
  | 'linkOutside'
  /** Links that lead to each other. */
  | 'linkLoop'
  | 'absolutePath'
  /** A path with `..`. */
  | 'parentPath'
  /** The path of an entry or the target of a link exceeds the limits of file systems. */
  | 'longPath'
  /** A line break or another control character in a name. */
  | 'controlCharacters'
  /** Two entries with the same path, of which only the last would remain. */
  | 'duplicate'
  | 'tooManyEntries'
  | 'tooManyBytes'
  /** A device, a pipe, or a socket. */
  | 'specialFile'
  | 'noEntries'
  /** No permission to read it. */
  | 'unreadable'
  /** Not gzip, or no tar archive in it. */
  | 'notAnArchive'
  | 'zipArchive'
  /** A tar archive without gzip. */
  | 'plainTar'
  /** The archive is truncated or its checksum is wrong. */
  | 'damaged';
