import type { PathCode } from './manifestFinding';

/** Longest of a path, and of one name in it: what file systems of machines take. */
export const LONGEST_PATH = 1_024;
const LONGEST_NAME = 255;

type PathProblem = Extract<
  PathCode,
  'pathAbsolute' | 'pathParent' | 'pathCharacters' | 'pathTooLong'
>;

/**
 * Why a text of a manifest cannot be the path of something below the folder of the manifest or in the
 * build. Manifests come from others: one that names `../../.ssh/id_rsa` must not have it read or sent.
 * @returns undefined when it can be one, whether or not something is there
 */
export function pathProblem(written: string): PathProblem | undefined {
  if (/\p{Cc}|[\u2028\u2029]/u.test(written)) return 'pathCharacters';
  if (/^(?:[/\\]|[A-Za-z]:|~[/\\]|file:)/i.test(written)) return 'pathAbsolute';
  const names = written.split(/[/\\]/);
  if (names.includes('..')) return 'pathParent';
  const isLong = written.length > LONGEST_PATH || names.some((name) => name.length > LONGEST_NAME);
  return isLong ? 'pathTooLong' : undefined;
}

/**
 * A path of a manifest in one form: with `/`, without `.` and doubled slashes; empty for the folder
 * itself.
 * @returns undefined when the text cannot be a path inside
 */
export function insidePath(written: string): string | undefined {
  if (pathProblem(written) !== undefined) return undefined;
  return written
    .split(/[/\\]/)
    .filter((name) => name !== '' && name !== '.')
    .join('/');
}
