import { type BuildEntry, splitPath } from './buildEntry';

const MAX_CANDIDATES = 5;
/**
 * Maximum depth of candidates. Executable files at deeper levels belong to dependencies of the
 * build.
 */
const DEEPEST = 4;

/**
 * Returns alternatives for a path that doesn't lead to an executable file: files with the same
 * name, or executable files.
 */
export function candidatesFor(
  path: string,
  entries: Iterable<readonly [string, BuildEntry]>,
): readonly string[] {
  const wanted = getFileStem(path);
  const found: { readonly path: string; readonly rank: number }[] = [];
  for (const [candidate, { type, isExecutable }] of entries) {
    const depth = splitPath(candidate).length;
    if (type !== 'file' || depth > DEEPEST) continue;
    const isNamesake = getFileStem(candidate) === wanted;
    if (!isNamesake && !isExecutable) continue;
    found.push({ path: candidate, rank: depth + (isNamesake ? 0 : DEEPEST) });
  }
  return found
    .sort((one, other) => one.rank - other.rank || (one.path < other.path ? -1 : 1))
    .slice(0, MAX_CANDIDATES)
    .map((candidate) => candidate.path);
}

/** Returns the part of a file name before its first period, such as `main` for `dist/main.exe`. */
function getFileStem(path: string): string {
  const name = splitPath(path).at(-1) ?? '';
  const period = name.indexOf('.', 1);
  return period < 0 ? name : name.slice(0, period);
}
