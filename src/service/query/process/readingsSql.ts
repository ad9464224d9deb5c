import { toSqlLiteral } from '../../../core/model/sqlTokens';
import type { ColdFiles, DeletedReadings, ReadingsFiles } from '../queryJob';

/** Columns of `readings` that are visible to queries, in order, with their types. */
export const READINGS_COLUMNS: Readonly<Record<string, string>> = {
  organization_id: 'VARCHAR',
  location_id: 'VARCHAR',
  robot_id: 'VARCHAR',
  part_id: 'VARCHAR',
  component_type: 'VARCHAR',
  component_name: 'VARCHAR',
  method_name: 'VARCHAR',
  time_requested: 'TIMESTAMP',
  time_received: 'TIMESTAMP',
  tags: 'VARCHAR[]',
  additional_parameters: 'JSON',
  data: 'JSON',
};

/** Additional column in the view for pipelines whose readings have IDs. */
export const ID_COLUMN = '_id';

/**
 * Returns the statement that creates the view `readings`, which contains all rows in the files
 * except deleted readings.
 * @param options.hasIds true to include the `ID_COLUMN`.
 */
export function readingsView(
  { files, deletions, storedFrom, cold }: ReadingsFiles,
  { hasIds = false }: { hasIds?: boolean | undefined } = {},
): string {
  const columns = Object.entries(READINGS_COLUMNS);
  if (hasIds) columns.unshift([ID_COLUMN, 'BIGINT']);
  const isStored =
    storedFrom === undefined ? [] : [`synced_at >= make_timestamp(${String(storedFrom)})`];
  const select = (names: readonly string[], conditions: readonly string[]): string =>
    `SELECT ${columns.map(([name]) => columnSql(name)).join(', ')} FROM ` +
    `read_parquet([${sqlTexts(names)}]) AS files WHERE ${[...isStored, ...conditions].join(' AND ')}`;
  const sources: string[] = [];
  if (files.length > 0) {
    const conditions = [notDeleted(deletions)];
    if (cold !== undefined) conditions.unshift(`id > ${String(cold.through)}`);
    sources.push(select(files, conditions));
  }
  if (cold !== undefined && cold.files.length > 0) {
    sources.push(select(cold.files, coldConditions(cold)));
  }
  if (sources.length === 0) {
    const nullColumns = columns.map(([name, type]) => `CAST(NULL AS ${type}) AS ${name}`);
    sources.push(`SELECT ${nullColumns.join(', ')} WHERE false`);
  }
  return `CREATE VIEW readings AS ${sources.join(' UNION ALL ')}`;
}

/** Returns the conditions for rows of `files` that are cold readings and weren't deleted. */
export function coldConditions({ after, through, deletions }: ColdFiles): string[] {
  return [`id > ${String(after)} AND id <= ${String(through)}`, notDeleted(deletions)];
}

function columnSql(name: string): string {
  return name === ID_COLUMN ? `id AS ${ID_COLUMN}` : name;
}

/** Returns the condition that a row of `files` isn't a deleted reading. */
export function notDeleted(deletions: readonly DeletedReadings[]): string {
  if (deletions.length === 0) return 'true';
  const rows = deletions.map(
    ({ seriesId, throughId, from, to }) =>
      `(${[seriesId, throughId].join(', ')}, ${[from, to].map((at) => `make_timestamp(${String(at)})`).join(', ')})`,
  );
  return (
    `NOT EXISTS (SELECT 1 FROM (VALUES ${rows.join(', ')}) AS deleted(series, through_id, first, last) ` +
    'WHERE deleted.series = files.series_id AND files.id <= deleted.through_id ' +
    'AND files.time_requested BETWEEN deleted.first AND deleted.last)'
  );
}

/** Returns strings as a list of SQL literals. */
export function sqlTexts(texts: readonly string[]): string {
  return texts.map(toSqlLiteral).join(', ');
}

/** Returns a name as a quoted SQL identifier. */
export function sqlName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
