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
  limit: number;
  start?: Micros | undefined;
  end?: Micros | undefined;
}

/** Returns the edits to a config, newest first. */
export async function listRevisions<Kind extends ConfigKind>(
  access: StoreAccess,
  kind: Kind,
  id: string,
  page: RevisionPage,
): Promise<RevisionRows[Kind][]> {
  const { history, idColumn } = VERSION_TABLES[kind];
  const rows = await access
    .selectFrom(history)
    .selectAll()
    .where(idColumn, '=', id)
    .$if(page.before !== undefined, (query) => query.where('sequence', '<', page.before ?? 0))
    .$if(page.start !== undefined, (query) => query.where('edited_at', '>=', page.start ?? 0))
    .$if(page.end !== undefined, (query) => query.where('edited_at', '<', page.end ?? 0))
    .orderBy('sequence', 'desc')
    .limit(page.limit)
    .execute();
  return rows;
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
