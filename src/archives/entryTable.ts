import type { ListedEntry } from '../core/modules/buildFacts';
import type { ProgramHead } from '../core/modules/programHead';

/** Maximum number of links in a chain, as in Linux. */
const MAX_LINKS = 40;
/**
 * Maximum work for following links, counted both in names and in characters, so that a malicious
 * build can't consume unlimited time.
 */
const MAX_STEPS = 1_000_000;
const MAX_PATH_LENGTH = 4_096;

/** The result of following all links in a path. */
export type Destination =
  | { readonly kind: 'found'; readonly path: string; readonly entry: BuildEntry }
  /**
   * The root, or a folder that has no entry itself and appears only in the paths of other entries.
   */
  | { readonly kind: 'folder' }
  | { readonly kind: 'missing' }
  | { readonly kind: 'outside' }
  /** The path leads back to itself, or exceeds the link limits. */
  | { readonly kind: 'loop' };

/** The entries in a build, by path. */
export class EntryTable {
  private readonly entries = new Map<string, BuildEntry>();
  private readonly folders = new Set<string>(['']);
  /** Number of steps that all lookups have taken so far. */
  private steps = 0;

  /** Number of folders that contain entries, including folders that have no entry themselves. */
  get folderCount(): number {
    return this.folders.size;
  }

  /**
   * Adds an entry.
   * @returns the previous entry with the same path, which is replaced
   */
  set(names: readonly string[], entry: BuildEntry): BuildEntry | undefined {
    const path = names.join('/');
    const before = this.entries.get(path);
    this.entries.set(path, entry);
    // Stop at a known folder, because its parent folders are known too.
    for (let depth = names.length - 1; depth > 0; depth -= 1) {
      const folder = names.slice(0, depth).join('/');
      if (this.folders.has(folder)) break;
      this.folders.add(folder);
    }
    return before;
  }

  values(): Iterable<readonly [string, BuildEntry]> {
    return this.entries;
  }

  /** Resolves a link's target; the link must be an entry in the table. */
  resolveLink(path: string, { type, target = '' }: BuildEntry): Destination {
    if (isAbsolutePath(target)) return { kind: 'outside' };
    const folder = type === 'hardLink' ? [] : splitPath(path).slice(0, -1);
    return this.resolve([...folder, ...splitPath(target)]);
  }

  /** Resolves a path from the root, including `..` and links. */
  resolve(names: readonly string[]): Destination {
    const ahead = names.toReversed();
    /** Paths of all folders traversed so far. Stored so that `..` needs no lookup. */
    const gone: string[] = [];
    let links = 0;
    for (let name = ahead.pop(); name !== undefined; name = ahead.pop()) {
      const before = gone.at(-1);
      this.steps += 1;
      if (this.steps > MAX_STEPS || (before?.length ?? 0) > MAX_PATH_LENGTH) {
        return { kind: 'loop' };
      }
      if (name === '..') {
        if (gone.pop() === undefined) return { kind: 'outside' };
        continue;
      }
      const entryPath = before === undefined ? name : `${before}/${name}`;
      gone.push(entryPath);
      const entry = this.entries.get(entryPath);
      if (entry?.type !== 'link' && entry?.type !== 'hardLink') continue;
      links += 1;
      if (links > MAX_LINKS) return { kind: 'loop' };
      const { type, target = '' } = entry;
      if (isAbsolutePath(target)) return { kind: 'outside' };
      if (type === 'hardLink') gone.length = 0;
      else gone.pop();
      ahead.push(...splitPath(target).toReversed());
    }
    const path = gone.at(-1) ?? '';
    const entry = this.entries.get(path);
    if (entry) return { kind: 'found', path, entry };
    return { kind: this.folders.has(path) ? 'folder' : 'missing' };
  }
}

/** An entry in a folder or an archive. */
export interface BuildEntry extends ListedEntry {
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
