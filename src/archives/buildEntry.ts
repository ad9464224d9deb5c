import type { ProgramHead } from '../core/modules/programs/programHead';

/** Entry of a folder or an archive. */
export interface BuildEntry {
  /** Path in the build, with `/` between folders. */
  readonly path: string;
  readonly type: 'file' | 'folder' | 'link' | 'hardLink' | 'special';
  /** Size in bytes; 0 for entries other than files. */
  readonly size: number;
  readonly isExecutable: boolean;
  /** Target of a link, relative to its own folder, or to the root for a hard link. */
  readonly target?: string | undefined;
  /** Type of an executable file, if its first bytes were read. */
  readonly program?: ProgramHead | undefined;
}

/** Splits a path into names, without those that mean the current folder. */
export function splitPath(path: string): readonly string[] {
  return path.split('/').filter((name) => name !== '' && name !== '.');
}

/** Returns true if a path is absolute on any system. */
export function isAbsolutePath(path: string): boolean {
  return /^([A-Za-z]:)?[/\\]/.test(path);
}
