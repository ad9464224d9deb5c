import type { ManifestPath, PathCode, TextSpan } from './manifestDiagnostic';
import type { Node } from 'jsonc-parser';

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

/** Field in an object, with the nodes of its name and value. */
export interface FieldNode {
  readonly name: string;
  readonly key: Node;
  readonly value: Node;
}

/**
 * Returns the fields in an object that already have a value, in order, including repeated fields.
 */
export function getFields(object: Node): readonly FieldNode[] {
  return (object.children ?? []).flatMap(({ children }): FieldNode[] => {
    const [key, value] = children ?? [];
    return key && value ? [{ name: String(key.value), key, value }] : [];
  });
}

/**
 * Finds the value at a path and the node of its name. If a field is repeated, returns the last one,
 * like the programs that read manifests.
 */
export function findField(
  root: Node,
  path: ManifestPath,
): { readonly key: Node | undefined; readonly value: Node } | undefined {
  let found: { key: Node | undefined; value: Node } = { key: undefined, value: root };
  for (const step of path) {
    const next = findChild(found.value, step);
    if (!next) return undefined;
    found = next;
  }
  return found;
}

/**
 * Returns the range of the value at a path. If the value doesn't exist, returns the start of the
 * innermost existing value on the path.
 */
export function findSpan(root: Node | undefined, path: ManifestPath, asKey: boolean): TextSpan {
  const found = root && findField(root, path);
  if (found) {
    const { offset, length } = (asKey ? found.key : undefined) ?? found.value;
    return { offset, length: path.length === 0 ? 1 : length };
  }
  for (let length = path.length - 1; root && length >= 0; length -= 1) {
    const around = findField(root, path.slice(0, length));
    // Use the name of the object for a missing field, because the name identifies the object better
    // than its bracket does.
    if (around) {
      return { offset: (around.key ?? around.value).offset, length: around.key?.length ?? 1 };
    }
  }
  return { offset: 0, length: 1 };
}

function findChild(
  parent: Node,
  step: string | number,
): { key: Node | undefined; value: Node } | undefined {
  if (typeof step === 'string') {
    if (parent.type !== 'object') return undefined;
    // Don't call `getFields`, because this code runs for each diagnostic, and malicious objects can
    // have 100,000 fields.
    const property = parent.children?.findLast(({ children: [name, field] = [] }) => {
      return name && field && String(name.value) === step;
    });
    const [key, value] = property?.children ?? [];
    return value && { key, value };
  }
  const value = parent.type === 'array' ? parent.children?.[step] : undefined;
  return value && { key: undefined, value };
}
