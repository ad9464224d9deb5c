import { entryKey, type FindEntry } from './findIndex';

/**
 * Rows of a match list. VS Code identifies the row that Enter selects by its index. If a row's
 * index changed while the list is being filled, Enter could open the wrong row.
 */
export class FindRows {
  private rows: readonly FindEntry[] = [];

  constructor(private readonly limit: number) {}

  get entries(): readonly FindEntry[] {
    return this.rows;
  }

  /** Replaces all rows. */
  set(matches: readonly FindEntry[]): void {
    this.rows = matches.slice(0, this.limit);
  }

  /**
   * Appends the matches that have no row yet.
   *
   * @param matches matches for the same query, best first
   * @returns true if a row changed
   */
  append(matches: readonly FindEntry[]): boolean {
    const found = new Map(matches.map((entry) => [entryKey(entry), entry]));
    const rows = this.rows.map((row) => {
      const key = entryKey(row);
      const entry = found.get(key) ?? row;
      found.delete(key);
      return entry;
    });
    const before = this.rows;
    this.rows = [...rows, ...found.values()].slice(0, this.limit);
    return this.rows.length > before.length || before.some((row, index) => row !== rows[index]);
  }
}
