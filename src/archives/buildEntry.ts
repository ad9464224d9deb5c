import type { ProgramHead } from '../core/modules/programs/programHead';

/** One entry of a folder or an archive. */
export interface BuildEntry {
  /** As the build has it, with `/` between folders. */
  readonly path: string;
  readonly type: 'file' | 'folder' | 'link' | 'hardLink' | 'special';
  /** Bytes; 0 for all but files. */
  readonly size: number;
  readonly isExecutable: boolean;
  /** Where a link leads: from its own folder, and a hard link from the root. */
  readonly target?: string | undefined;
  /** Of an executable file, where its first bytes were read along. */
  readonly program?: ProgramHead | undefined;
}

/** The names that a path goes through, without those that stand for the place itself. */
export function namesOf(path: string): readonly string[] {
  return path.split('/').filter((name) => name !== '' && name !== '.');
}

/** Whether a path begins at the root of a file system, on whichever system. */
export function isAbsolutePath(path: string): boolean {
  return /^([A-Za-z]:)?[/\\]/.test(path);
}
