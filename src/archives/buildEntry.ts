import type { ProgramHead } from '../core/modules/programs/programHead';

/** An entry of a folder or an archive. */
export interface BuildEntry {
  /** Path from the root of the build, with `/` between names. */
  readonly path: string;
  readonly type: 'file' | 'folder' | 'link' | 'hardLink' | 'special';
  /** Size in bytes; 0 for entries other than files. */
  readonly size: number;
  readonly isExecutable: boolean;
  /** Target of a link, relative to the link's own folder or, for a hard link, to the root. */
  readonly target?: string | undefined;
  /** Type of an executable file, if its first bytes have been read. */
  readonly program?: ProgramHead | undefined;
}

/** Splits a path into its names. Omits names that refer to the current folder. */
export function splitPath(path: string): readonly string[] {
  return path.split('/').filter((name) => name !== '' && name !== '.');
}

/** Returns true if a path is absolute on any system. */
export function isAbsolutePath(path: string): boolean {
  return /^([A-Za-z]:)?[/\\]/.test(path);
}
