import { type BuildEntry, namesOf } from './buildEntry';

const MOST_CANDIDATES = 5;
/** Executables further down belong to what the build brings along. */
const DEEPEST = 4;

/** Files that may be meant by a path that leads to none that can be run: of its name, or executable. */
export function candidatesFor(
  path: string,
  entries: Iterable<readonly [string, BuildEntry]>,
): readonly string[] {
  const wanted = stemOf(path);
  const found: { readonly path: string; readonly rank: number }[] = [];
  for (const [candidate, { type, isExecutable }] of entries) {
    const depth = namesOf(candidate).length;
    if (type !== 'file' || depth > DEEPEST) continue;
    const isNamesake = stemOf(candidate) === wanted;
    if (!isNamesake && !isExecutable) continue;
    found.push({ path: candidate, rank: depth + (isNamesake ? 0 : DEEPEST) });
  }
  return found
    .sort((one, other) => one.rank - other.rank || (one.path < other.path ? -1 : 1))
    .slice(0, MOST_CANDIDATES)
    .map((candidate) => candidate.path);
}

/** A name without what follows its first period: `main` of `dist/main.exe`. */
function stemOf(path: string): string {
  const name = namesOf(path).at(-1) ?? '';
  const period = name.indexOf('.', 1);
  return period < 0 ? name : name.slice(0, period);
}
