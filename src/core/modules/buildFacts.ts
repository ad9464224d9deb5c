import type { Platform } from './platforms';
import type { ProgramHead } from './programs/programHead';

/** A build with as many entries is refused: machines unpack each of them. */
export const MOST_ENTRIES = 100_000;
/** A build of more bytes, unpacked, is refused: machines have to keep it, and it is read before. */
export const MOST_BYTES = 64 * 1024 ** 3;
/** So many problems are told of one build; more say nothing new. */
export const MOST_PROBLEMS = 100;

/** Which files of a build its manifest names. Paths are relative to the root of the build, with `/`. */
export interface NamedFiles {
  readonly entrypoint?: string | undefined;
  readonly firstRun?: string | undefined;
}

/** What was found out about a folder or an archive before anything of it is sent. */
export interface BuildFacts {
  readonly form: 'folder' | 'archive';
  /** Files, folders and links. Counting ends at `MOST_ENTRIES`. */
  readonly entries: number;
  /** Of all files, unpacked. */
  readonly bytes: number;
  /** Of the archive as it stands; absent for a folder, which is packed on the way. */
  readonly archiveBytes: number | undefined;
  /**
   * Of what was looked through: another build at the same place has another one. Absent where nobody
   * looked at all of it.
   */
  readonly fingerprint?: string | undefined;
  /** Absent when none was named. */
  readonly entrypoint: NamedFileFacts | undefined;
  readonly firstRun: NamedFileFacts | undefined;
  /** In the order of the build, `MOST_PROBLEMS` at most. Each of them keeps the build from being sent. */
  readonly problems: readonly BuildProblem[];
}

/** A file that the manifest names, as the build has it. */
export interface NamedFileFacts {
  readonly path: string;
  readonly state: NamedFileState;
  /** Read from the header of a program; absent for scripts and for what is no program. */
  readonly platform: Platform | undefined;
  /** What its first bytes say (`readProgramHead`); absent when it is no file or was not read. */
  readonly program?: ProgramHead | undefined;
  /** Files of the build that may be meant instead, the likeliest first, when this is none. */
  readonly candidates: readonly string[];
}

export type NamedFileState =
  | 'ok'
  | 'missing'
  | 'directory'
  /** No execute permission. Never of a folder on Windows, which has none. */
  | 'notExecutable'
  /** Absolute, or above the root of the build; also through a link. */
  | 'outside'
  /** Neither a file nor a folder, or a link that leads nowhere. */
  | 'notFile';

/** Why a build cannot be sent. */
export interface BuildProblem {
  readonly code: BuildProblemCode;
  /** Of the entry, as the build has it: remote text. Empty when the whole build is meant. */
  readonly path: string;
  /** Where a link leads. */
  readonly target?: string | undefined;
}

export type BuildProblemCode =
  /** A link to a place that is not in the build. */
  | 'linkOutside'
  /** Links that lead to one another. */
  | 'linkLoop'
  | 'absolutePath'
  /** A path with `..`. */
  | 'parentPath'
  /** Of an entry, or of where a link leads: longer than file systems take. */
  | 'longPath'
  /** A line end or another control character in a name. */
  | 'controlCharacters'
  /** Two entries of one path, of which only the last would stay. */
  | 'duplicate'
  | 'tooManyEntries'
  | 'tooManyBytes'
  /** A device, a pipe or a socket. */
  | 'specialFile'
  | 'noEntries'
  /** It may not be read. */
  | 'unreadable'
  /** No gzip, or no tar in it. */
  | 'notAnArchive'
  | 'zipArchive'
  /** A tar archive without gzip. */
  | 'plainTar'
  /** It breaks off, or its checksum is wrong. */
  | 'damaged';
