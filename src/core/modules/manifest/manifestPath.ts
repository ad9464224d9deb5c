import type { PathCode } from './manifestFinding';

/** Maximum lengths of a path and of each name in it, according to the machines' file systems. */
export const MAX_PATH_LENGTH = 1_024;
const MAX_NAME_LENGTH = 255;

type PathProblem = Extract<
  PathCode,
  'pathAbsolute' | 'pathParent' | 'pathCharacters' | 'pathTooLong'
>;

/**
 * Returns the problem with a path in a manifest if the path isn't valid below the manifest's folder
 * or in the build. Manifests can be untrusted. A manifest that specifies `../../.ssh/id_rsa` must
 * not cause that file to be read or sent.
 * @returns undefined if the path is valid, even if the file doesn't exist
 */
export function pathProblem(written: string): PathProblem | undefined {
  if (/\p{Cc}|[\u2028\u2029]/u.test(written)) return 'pathCharacters';
  if (/^(?:[/\\]|[A-Za-z]:|~[/\\]|file:)/i.test(written)) return 'pathAbsolute';
  const names = written.split(/[/\\]/);
  if (names.includes('..')) return 'pathParent';
  const isLong =
    written.length > MAX_PATH_LENGTH || names.some((name) => name.length > MAX_NAME_LENGTH);
  return isLong ? 'pathTooLong' : undefined;
}

/**
 * Normalizes a path in a manifest: uses `/`, and removes `.` and duplicate slashes. Empty for the
 * folder itself.
 * @returns undefined if the path isn't valid
 */
export function insidePath(written: string): string | undefined {
  if (pathProblem(written) !== undefined) return undefined;
  return written
    .split(/[/\\]/)
    .filter((name) => name !== '' && name !== '.')
    .join('/');
}

/** Link to a file next to the manifest that describes the module or a model. */
export interface DescriptionLink {
  /** Path as written in the manifest. */
  readonly file: string;
  /** Anchor of the heading that starts the section; absent for the whole file. */
  readonly heading: string | undefined;
}

const URL_SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i;

/**
 * Parses a `markdown_link` in a manifest.
 * @returns undefined if there is no link, and for URLs, which are never fetched because the client
 *   calls only the registry
 */
export function parseDescriptionLink(link: string | undefined): DescriptionLink | undefined {
  if (link === undefined || link === '' || URL_SCHEME.test(link)) return undefined;
  const hash = link.indexOf('#');
  if (hash < 0) return { file: link, heading: undefined };
  return { file: link.slice(0, hash), heading: link.slice(hash + 1) || undefined };
}
