import { sql } from 'kysely';
import type { Micros } from './micros';
import type { FragmentRevisionRow, FragmentRow, PartRevisionRow, PartRow } from './schema';
import type { StoreAccess } from './store';

/** Row of each kind of config that has a history. */
export interface ConfigRows {
  part: PartRow;
  fragment: FragmentRow;
}

/** Row of each kind of history. Contains the version that an edit replaced. */
export interface RevisionRows {
  part: PartRevisionRow;
  fragment: FragmentRevisionRow;
}

export type ConfigKind = keyof ConfigRows;

/**
 * Tables of the current and the previous versions. `columns` belong to a version: the history
 * contains each of them with the prefix `old_`.
 */
export const VERSION_TABLES = {
  part: {
    configs: 'parts',
    history: 'part_revisions',
    idColumn: 'part_id',
    columns: ['name', 'config_json', 'last_updated', 'is_main'],
  },
  fragment: {
    configs: 'fragments',
    history: 'fragment_revisions',
    idColumn: 'fragment_id',
    columns: ['name', 'config_json', 'last_updated', 'visibility', 'revision'],
  },
} as const;

const OLD = 'old_';

/** An edit's author, as stored in histories. */
export interface Editor {
  type: number;
  value: string;
}

/**
 * Replaces the given columns of a config, and adds the previous version to the history. Must run in
 * a transaction.
 * @returns false, without changes, if another writer has changed the config since it was read.
 */
export async function replaceConfig<Kind extends ConfigKind>(
  access: StoreAccess,
  kind: Kind,
  old: ConfigRows[Kind],
  next: Partial<ConfigRows[Kind]> & { last_updated: Micros },
  editor: Editor,
): Promise<boolean> {
  const { configs, history, idColumn, columns } = VERSION_TABLES[kind];
  const updated = await access
    .updateTable(configs)
    .set(next)
    .where('id', '=', old.id)
    .where('last_updated', '=', old.last_updated)
    .executeTakeFirst();
  if (updated.numUpdatedRows === 0n) return false;
  const values: Readonly<Record<string, unknown>> = { ...old };
  const revision = {
    [idColumn]: old.id,
    edited_at: next.last_updated,
    editor_type: editor.type,
    editor_value: editor.value,
    ...Object.fromEntries(columns.map((column) => [OLD + column, values[column]])),
  };
  await access
    .insertInto(history)
    .values(revision as Omit<RevisionRows[Kind], 'sequence'>)
    .execute();
  return true;
}

/** A config's revisions to list. */
export interface RevisionPage {
  /** Sequence number. Only older revisions are listed. */
  before: number | undefined;
  /** Maximum number of revisions. */
  limit: number;
  /** Maximum size of all configs. A single larger revision is listed alone. */
  maxBytes: number;
  start?: Micros | undefined;
  end?: Micros | undefined;
}

/**
 * Returns the edits to a config, newest first, and whether there are older ones. Reads only the
 * configs that it returns, because a history can be larger than the memory.
 */
export async function listRevisions<Kind extends ConfigKind>(
  access: StoreAccess,
  kind: Kind,
  id: string,
  { before, limit, maxBytes, start, end }: RevisionPage,
): Promise<{ revisions: RevisionRows[Kind][]; hasMore: boolean }> {
  const { history, idColumn } = VERSION_TABLES[kind];
  const matching = access
    .selectFrom(history)
    .where(idColumn, '=', id)
    .$if(before !== undefined, (query) => query.where('sequence', '<', before ?? 0))
    .$if(start !== undefined, (query) => query.where('edited_at', '>=', start ?? 0))
    .$if(end !== undefined, (query) => query.where('edited_at', '<', end ?? 0))
    .orderBy('sequence', 'desc');
  const sizes = await matching
    .select(['sequence', sql<number>`octet_length(old_config_json)`.as('bytes')])
    .limit(limit + 1)
    .execute();
  let total = 0;
  const shown = sizes.slice(0, limit).filter(({ bytes }, index) => {
    total += bytes;
    return index === 0 || total <= maxBytes;
  });
  const oldest = shown.at(-1)?.sequence;
  if (oldest === undefined) return { revisions: [], hasMore: false };
  const revisions = await matching
    .selectAll()
    .where('sequence', '>=', oldest)
    .limit(shown.length)
    .execute();
  return { revisions, hasMore: sizes.length > shown.length };
}

/** Returns a config with the columns of a version replaced by those of one of its revisions. */
export function asRevision<Row extends ConfigRows[ConfigKind]>(
  row: Row,
  revision: RevisionRows[ConfigKind],
): Row {
  const columns = Object.entries(revision)
    .filter(([column]) => column.startsWith(OLD))
    .map(([column, value]): [string, unknown] => [column.slice(OLD.length), value]);
  return { ...row, ...Object.fromEntries(columns) };
}
