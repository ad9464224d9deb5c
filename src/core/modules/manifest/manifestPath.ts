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

/** A file beside the manifest that describes the module or a model. */
export interface DescriptionLink {
  /** As the manifest names it. */
  readonly file: string;
  /** Anchor of the heading whose section is meant; absent for the whole file. */
  readonly heading: string | undefined;
}

const URL_SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i;

/**
 * Parses a `markdown_link` of a manifest.
 * @returns undefined for no link and for URLs, which are never fetched: only the registry is called
 */
export function parseDescriptionLink(link: string | undefined): DescriptionLink | undefined {
  if (link === undefined || link === '' || URL_SCHEME.test(link)) return undefined;
  const hash = link.indexOf('#');
  if (hash < 0) return { file: link, heading: undefined };
  return { file: link.slice(0, hash), heading: link.slice(hash + 1) || undefined };
}
