import { type BuildEntry, isAbsolutePath, namesOf } from './buildEntry';

/** As many links may lead to one another, as in Linux. */
const MOST_LINKS = 40;

/** Where a path leads when all links on its way are followed. */
export type Destination =
  | { readonly kind: 'found'; readonly path: string; readonly entry: BuildEntry }
  /** A folder that only the paths of others name, as archives may have it; or the root. */
  | { readonly kind: 'folder' }
  | { readonly kind: 'missing' }
  | { readonly kind: 'outside' }
  | { readonly kind: 'loop' };

/** The entries of a build by their paths. */
export class EntryTable {
  private readonly entries = new Map<string, BuildEntry>();
  private readonly folders = new Set<string>(['']);

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
    const gone: string[] = [];
    let links = 0;
    for (let name = ahead.pop(); name !== undefined; name = ahead.pop()) {
      if (name === '..') {
        if (gone.pop() === undefined) return { kind: 'outside' };
        continue;
      }
      gone.push(name);
      const entry = this.entries.get(gone.join('/'));
      if (entry?.type !== 'link' && entry?.type !== 'hardLink') continue;
      links += 1;
      if (links > MOST_LINKS) return { kind: 'loop' };
      const { type, target = '' } = entry;
      if (isAbsolutePath(target)) return { kind: 'outside' };
      if (type === 'hardLink') gone.length = 0;
      else gone.pop();
      ahead.push(...namesOf(target).toReversed());
    }
    const path = gone.join('/');
    const entry = this.entries.get(path);
    if (entry) return { kind: 'found', path, entry };
    return { kind: this.folders.has(path) ? 'folder' : 'missing' };
  }
}
