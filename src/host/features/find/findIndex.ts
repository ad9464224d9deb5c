import {
  type ResourceKind,
  type ResourceTarget,
  targetId,
} from '../../../core/model/resourceTarget';
import type { Dataset } from '../../../core/model/dataset';
import type {
  FragmentSummary,
  Location,
  Machine,
  Organization,
  PartSummary,
} from '../../../core/model/entities';
import type { ConnectionId } from '../../../core/model/ids';
import type { RegistryItem } from '../../../core/model/registryItem';

/** Resource that can be found. */
export interface FindEntry {
  readonly target: ResourceTarget;
  /** Names of the resource's parents, outermost first. */
  readonly path: readonly string[];
}

export interface FindResult {
  /** The best matches, best first. */
  readonly entries: readonly FindEntry[];
  /** Total number of matches. */
  readonly total: number;
}

interface Indexed {
  readonly entry: FindEntry;
  readonly name: string;
  readonly id: string;
  readonly path: string;
}

const NO_MATCH = -1;
const WORD_START = /[\s\-_./]/;

/**
 * In-memory index of resources by name, ID, and path, designed for tens of thousands of entries.
 */
export class FindIndex {
  private readonly indexed = new Map<string, Indexed>();

  get size(): number {
    return this.indexed.size;
  }

  add(entries: readonly FindEntry[]): void {
    for (const entry of entries) {
      this.indexed.set(entryKey(entry), {
        entry,
        name: entry.target.name.toLowerCase(),
        id: targetId(entry.target).toLowerCase(),
        path: entry.path.join(' ').toLowerCase(),
      });
    }
  }

  clear(): void {
    this.indexed.clear();
  }

  /** @param kinds kinds of resources to search. */
  search(query: string, limit: number, kinds?: readonly ResourceKind[]): FindResult {
    const terms = query
      .toLowerCase()
      .split(/\s+/)
      .filter((term) => term !== '');
    const matches: { readonly rank: number; readonly item: Indexed }[] = [];
    for (const item of this.indexed.values()) {
      if (kinds && !kinds.includes(item.entry.target.kind)) continue;
      const rank = rankItem(item, terms);
      if (rank !== NO_MATCH) matches.push({ rank, item });
    }
    // Without a query, the entries remain in the order in which they were loaded.
    if (terms.length > 0) {
      matches.sort((a, b) => a.rank - b.rank || a.item.name.length - b.item.name.length);
    }
    return {
      entries: matches.slice(0, limit).map(({ item }) => item.entry),
      total: matches.length,
    };
  }
}

/**
 * Returns a key that identifies an entry. A shared location has an entry in each of its
 * organizations.
 */
export function entryKey({ target }: FindEntry): string {
  return `${target.kind} ${target.organizationId} ${targetId(target)}`;
}

/**
 * Returns a match's rank. Lower is better. Every term must match, and at least one must match in
 * the name or the ID.
 */
function rankItem(item: Indexed, terms: readonly string[]): number {
  let rank = 0;
  let direct = terms.length === 0;
  for (const term of terms) {
    const own = ownRank(item, term);
    if (own !== NO_MATCH) direct = true;
    else if (!item.path.includes(term)) return NO_MATCH;
    rank += own === NO_MATCH ? Rank.path : own;
  }
  return direct ? rank : NO_MATCH;
}

const Rank = { exact: 0, start: 1, wordStart: 2, inside: 3, id: 4, path: 5 } as const;

function ownRank({ name, id }: Indexed, term: string): number {
  const at = name.indexOf(term);
  if (at === 0) return name === term ? Rank.exact : Rank.start;
  if (at > 0) return WORD_START.test(name.charAt(at - 1)) ? Rank.wordStart : Rank.inside;
  if (id === term) return Rank.exact;
  return id.includes(term) ? Rank.id : NO_MATCH;
}

export function organizationEntry(
  connectionId: ConnectionId,
  { id, name }: Organization,
): FindEntry {
  return { target: { kind: 'organization', connectionId, organizationId: id, name }, path: [] };
}

export function locationEntry(
  connectionId: ConnectionId,
  { id, organizationId, name }: Location,
  path: readonly string[],
): FindEntry {
  return { target: { kind: 'location', connectionId, organizationId, locationId: id, name }, path };
}

export function machineEntry(
  connectionId: ConnectionId,
  organization: Organization,
  { id, locationId, name }: Machine,
  path: readonly string[],
): FindEntry {
  const organizationId = organization.id;
  return {
    target: { kind: 'machine', connectionId, organizationId, locationId, machineId: id, name },
    path,
  };
}

/** @param path path of the machine. */
export function partEntry(
  connectionId: ConnectionId,
  organization: Organization,
  machine: Machine,
  { id, name }: Pick<PartSummary, 'id' | 'name'>,
  path: readonly string[],
): FindEntry {
  return {
    target: {
      kind: 'part',
      connectionId,
      organizationId: organization.id,
      locationId: machine.locationId,
      machineId: machine.id,
      machineName: machine.name,
      partId: id,
      name,
    },
    path: [...path, machine.name],
  };
}

export function fragmentEntry(
  connectionId: ConnectionId,
  organization: Organization,
  { id, name }: FragmentSummary,
): FindEntry {
  return {
    target: {
      kind: 'fragment',
      connectionId,
      organizationId: organization.id,
      fragmentId: id,
      name,
    },
    path: [organization.name],
  };
}

export function datasetEntry(
  connectionId: ConnectionId,
  organization: Organization,
  { id, name }: Dataset,
): FindEntry {
  return {
    target: {
      kind: 'dataset',
      connectionId,
      organizationId: organization.id,
      datasetId: id,
      name,
    },
    path: [organization.name],
  };
}

export function registryItemEntry(
  connectionId: ConnectionId,
  organization: Organization,
  { id, type, name }: RegistryItem,
): FindEntry {
  return {
    target: {
      kind: 'registryItem',
      connectionId,
      organizationId: organization.id,
      itemId: id,
      itemType: type,
      name,
    },
    path: [organization.name],
  };
}

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
