import {
  type BuildFacts,
  type BuildProblem,
  type BuildProblemCode,
  MAX_ENTRIES,
  MAX_PROBLEMS,
  type NamedFileFacts,
  type NamedFileState,
} from '../core/modules/buildFacts';
import { MAX_PATH_LENGTH } from '../core/modules/manifest/manifestPath';
import type { ProgramHead } from '../core/modules/programHead';
import {
  type BuildEntry,
  type Destination,
  EntryTable,
  isAbsolutePath,
  splitPath,
} from './entryTable';

const FIRST_PRINTABLE = 32;
const DELETE = 127;

/** Collects the entries in a build and reports problems with the build. */
export class BuildIndex {
  private readonly table = new EntryTable();
  private readonly problems: BuildProblem[] = [];
  private entries = 0;
  private bytes = 0;

  /**
   * Adds an entry.
   * @returns false if no further entries are needed, because the limits are already exceeded
   */
  add(entry: BuildEntry): boolean {
    if (entry.path.length > MAX_PATH_LENGTH || (entry.target?.length ?? 0) > MAX_PATH_LENGTH) {
      this.entries += 1;
      this.note('longPath', { path: entry.path.slice(0, MAX_PATH_LENGTH) });
      return this.entries < MAX_ENTRIES;
    }
    const names = splitPath(entry.path);
    if (names.length === 0) return true;
    this.entries += 1;
    this.bytes += entry.size;
    // Archives don't need an entry for each folder, but machines still create all of the folders.
    if (this.entries >= MAX_ENTRIES || this.table.folderCount >= MAX_ENTRIES) {
      this.note('tooManyEntries');
      return false;
    }
    if (isAbsolutePath(entry.path)) this.note('absolutePath', entry);
    else if (names.includes('..')) this.note('parentPath', entry);
    else this.addEntry(names, entry);
    return true;
  }

  note(code: BuildProblemCode, { path = '', target }: Partial<BuildEntry> = {}): void {
    if (this.problems.length < MAX_PROBLEMS) this.problems.push({ code, path, target });
  }

  /** Returns the facts about the build. Must be called after all entries have been added. */
  facts(): Pick<BuildFacts, 'entries' | 'bytes' | 'problems'> {
    for (const [path, entry] of this.table.values()) {
      if (entry.type !== 'link' && entry.type !== 'hardLink') continue;
      const { kind } = this.table.resolveLink(path, entry);
      if (kind === 'outside') this.note('linkOutside', entry);
      if (kind === 'loop') this.note('linkLoop', entry);
    }
    if (this.entries === 0 && this.problems.length === 0) this.note('noEntries');
    const { entries, bytes, problems } = this;
    return { entries, bytes, problems };
  }

  /** Returns the facts about a file that the manifest names, and the resolved path of its entry. */
  named(path: string): { readonly facts: NamedFileFacts; readonly at: string | undefined } {
    const destination: Destination = isAbsolutePath(path)
      ? { kind: 'outside' }
      : this.table.resolve(splitPath(path));
    const state = toFileState(destination);
    const found = destination.kind === 'found' ? destination : undefined;
    const candidates = state === 'ok' ? [] : candidatesFor(path, this.table.values());
    const facts = withProgram({ path, state, candidates }, found?.entry.program);
    return { facts, at: found?.path };
  }

  private addEntry(names: readonly string[], entry: BuildEntry): void {
    if (hasControlCharacters(entry.path)) this.note('controlCharacters', entry);
    if (entry.type === 'special') this.note('specialFile', entry);
    const before = this.table.set(names, entry);
    const isRepeated = before?.type === 'folder' && entry.type === 'folder';
    if (before && !isRepeated) this.note('duplicate', entry);
  }
}

/**
 * Adds the program type, which is determined from a file's first bytes, to the facts about a named
 * file.
 */
export function withProgram(
  facts: Pick<NamedFileFacts, 'path' | 'state' | 'candidates'>,
  program: ProgramHead | undefined,
): NamedFileFacts {
  return {
    ...facts,
    program,
    platform: program?.kind === 'program' ? program.platform : undefined,
  };
}

function toFileState(destination: Destination): NamedFileState {
  if (destination.kind === 'found') {
    const { type, isExecutable } = destination.entry;
    if (type === 'folder') return 'directory';
    if (type !== 'file') return 'notFile';
    return isExecutable ? 'ok' : 'notExecutable';
  }
  switch (destination.kind) {
    case 'folder':
      return 'directory';
    case 'loop':
      return 'notFile';
    default:
      return destination.kind;
  }
}

function hasControlCharacters(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code < FIRST_PRINTABLE || code === DELETE) return true;
  }
  return false;
}

const MAX_CANDIDATES = 5;
/**
 * Maximum depth of candidates. Executable files at deeper levels belong to the build's
 * dependencies.
 */
const MAX_DEPTH = 4;

/**
 * Returns alternatives for a path that doesn't lead to an executable file: files with the same
 * name, or executable files.
 */
function candidatesFor(
  path: string,
  entries: Iterable<readonly [string, BuildEntry]>,
): readonly string[] {
  const stem = getFileStem(path);
  const found: { readonly path: string; readonly rank: number }[] = [];
  for (const [candidate, { type, isExecutable }] of entries) {
    const depth = splitPath(candidate).length;
    if (type !== 'file' || depth > MAX_DEPTH) continue;
    const isNamesake = getFileStem(candidate) === stem;
    if (!isNamesake && !isExecutable) continue;
    found.push({ path: candidate, rank: depth + (isNamesake ? 0 : MAX_DEPTH) });
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
