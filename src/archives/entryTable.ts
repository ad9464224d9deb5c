import { type BuildEntry, isAbsolutePath, namesOf } from './buildEntry';

/** As many links may lead to one another, as in Linux. */
const MOST_LINKS = 40;
/** So far are links followed, over names and in characters: further ones were made to keep us busy. */
const MOST_STEPS = 1_000_000;
const LONGEST_WAY = 4_096;

/** Where a path leads when all links on its way are followed. */
export type Destination =
  | { readonly kind: 'found'; readonly path: string; readonly entry: BuildEntry }
  /** A folder that only the paths of others name, as archives may have it; or the root. */
  | { readonly kind: 'folder' }
  | { readonly kind: 'missing' }
  | { readonly kind: 'outside' }
  /** Back to itself, or further than links are followed. */
  | { readonly kind: 'loop' };

/** The entries of a build by their paths. */
export class EntryTable {
  private readonly entries = new Map<string, BuildEntry>();
  private readonly folders = new Set<string>(['']);
  /** Taken by all that was resolved so far. */
  private steps = 0;

  /** Folders that entries are in, whether or not they are entries themselves. */
  get folderCount(): number {
    return this.folders.size;
  }

  /** @returns the entry that was there under the same path; it is there no more. */
  set(names: readonly string[], entry: BuildEntry): BuildEntry | undefined {
    const path = names.join('/');
    const before = this.entries.get(path);
    this.entries.set(path, entry);
    // Only until one that is known already: its own are known, too.
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

  /** Where the link leads that is an entry of the table. */
  follow(path: string, { type, target = '' }: BuildEntry): Destination {
    if (isAbsolutePath(target)) return { kind: 'outside' };
    const folder = type === 'hardLink' ? [] : namesOf(path).slice(0, -1);
    return this.resolve([...folder, ...namesOf(target)]);
  }

  /** Goes through the names from the root, also through `..` and links. */
  resolve(names: readonly string[]): Destination {
    const ahead = names.toReversed();
    /** The path of each folder on the way, so that going back takes no time. */
    const gone: string[] = [];
    let links = 0;
    for (let name = ahead.pop(); name !== undefined; name = ahead.pop()) {
      const before = gone.at(-1);
      this.steps += 1;
      if (this.steps > MOST_STEPS || (before?.length ?? 0) > LONGEST_WAY) return { kind: 'loop' };
      if (name === '..') {
        if (gone.pop() === undefined) return { kind: 'outside' };
        continue;
      }
      const way = before === undefined ? name : `${before}/${name}`;
      gone.push(way);
      const entry = this.entries.get(way);
      if (entry?.type !== 'link' && entry?.type !== 'hardLink') continue;
      links += 1;
      if (links > MOST_LINKS) return { kind: 'loop' };
      const { type, target = '' } = entry;
      if (isAbsolutePath(target)) return { kind: 'outside' };
      if (type === 'hardLink') gone.length = 0;
      else gone.pop();
      ahead.push(...namesOf(target).toReversed());
    }
    const path = gone.at(-1) ?? '';
    const entry = this.entries.get(path);
    if (entry) return { kind: 'found', path, entry };
    return { kind: this.folders.has(path) ? 'folder' : 'missing' };
  }
}
