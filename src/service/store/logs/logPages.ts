import { type RawBuilder, sql } from 'kysely';
import { queryByIds } from '../identifiers';
import { isSqlite, type StoreAccess } from '../store';
import type { Micros } from '../micros';
import { foldCase, type LogLineRow } from './logSchema';

/**
 * A part's lines to list. Conditions that are absent, and empty texts, match everything.
 */
export interface LogSelection {
  partId: string;
  /** Substring of the message, case-insensitive. */
  text: string;
  /** Log levels in lowercase. An empty list matches no line. */
  levels: readonly string[] | undefined;
  /** Start (inclusive) and end (exclusive) of the time range. */
  start: Micros | undefined;
  end: Micros | undefined;
  /**
   * Name of a logger. It also selects the logger's children: `rdk` selects lines of `rdk.resource`.
   */
  source: string;
  /** True to select only lines whose field `user_facing` is true. */
  forUsers: boolean;
}

/** Last line of a page. */
export interface LogEnd {
  loggedAt: Micros;
  id: number;
}

/** Part of a selection to list. */
export interface LogPage {
  oldestFirst: boolean;
  after: LogEnd | undefined;
  limit: number;
}

/**
 * Number of lines to scan in order before the text index is used. This is enough for most pages.
 */
const MAX_SCANNED_LINES = 2000;
/**
 * Maximum number of matching lines for which the text index is used. If text occurs more often,
 * scanning the lines in order fills the page sooner.
 */
const MAX_INDEX_MATCHES = 20_000;
/**
 * Number of matches that are read from the text index before lines are scanned. If a string has no
 * more than these, only they are compared, which takes a tenth of the time of scanning
 * `MAX_SCANNED_LINES` lines.
 */
const MAX_FEW_MATCHES = 200;
/** Minimum length, in characters, of text that the index can find. */
const MIN_INDEXED_LENGTH = 3;

/** Maximum page size in bytes. The first line can be larger. */
const MAX_PAGE_BYTES = 8 * 1024 * 1024;

type Key = LogEnd & Pick<LogLineRow, 'size'>;

/**
 * Returns a page of lines sorted by time, and its end if it isn't the last page. Lines that arrive
 * between requests for pages don't shift the pages.
 */
export async function readLogLinesPage(
  access: StoreAccess,
  selection: LogSelection,
  page: LogPage,
): Promise<{ rows: LogLineRow[]; end: LogEnd | undefined }> {
  const matches = await findLines(access, selection, { ...page, limit: page.limit + 1 });
  const keys = limitBytes(matches.slice(0, page.limit));
  const rows = await queryByIds(
    keys.map(({ id }) => id),
    (batch) => access.selectFrom('log_lines').selectAll().where('id', 'in', batch).execute(),
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  return {
    rows: keys.flatMap(({ id }) => byId.get(id) ?? []),
    end: keys.length < matches.length ? keys.at(-1) : undefined,
  };
}

async function findLines(
  access: StoreAccess,
  selection: LogSelection,
  page: LogPage,
): Promise<Key[]> {
  const text = foldCase(selection.text);
  const withText = sql`${conditions(access, selection, page)} and ${messageContains(access, text)}`;
  if (Array.from(text).length < MIN_INDEXED_LENGTH) return readKeys(access, withText, page);
  const ids = await findFewIds(access, text, page);
  if (ids?.length === 0) return [];
  if (ids !== undefined) return readKeys(access, withText, page, linesWithIds(ids));
  const scanned = await scanNextLines(access, { ...selection, text }, page);
  if (scanned !== undefined) return scanned;
  const source = (await isRare(access, text)) ? linesInIndex(text) : sql`log_lines`;
  return readKeys(access, withText, page, source);
}

/**
 * Returns the IDs of all lines that contain a string according to SQLite's text index; undefined if
 * there are more than `MAX_FEW_MATCHES`. The index is read in list order, so this takes little time
 * even for a word that most lines contain.
 */
async function findFewIds(
  access: StoreAccess,
  text: string,
  { oldestFirst }: LogPage,
): Promise<number[] | undefined> {
  if (!isSqlite(access)) return undefined;
  const { rows } = await sql<{ rowid: number }>`select rowid from log_text
    where log_text match ${toPhrase(text)} order by rowid ${sql.raw(oldestFirst ? 'asc' : 'desc')}
    limit ${MAX_FEW_MATCHES + 1}`.execute(access);
  return rows.length > MAX_FEW_MATCHES ? undefined : rows.map(({ rowid }) => rowid);
}

/**
 * Returns the page if it ends within the next `MAX_SCANNED_LINES` lines; undefined if it extends beyond
 * them.
 */
async function scanNextLines(
  access: StoreAccess,
  selection: LogSelection,
  page: LogPage,
): Promise<Key[] | undefined> {
  const where = conditions(access, selection, page);
  const { rows } = await sql<LogEnd>`select logged_at as "loggedAt", id from log_lines
    where ${where} ${order(page)} limit 1 offset ${MAX_SCANNED_LINES}`.execute(access);
  const end = rows[0];
  const range = end === undefined ? where : sql`${where} and ${isBefore(page, end)}`;
  const hasText = messageContains(access, selection.text);
  const keys = await readKeys(access, sql`${range} and ${hasText}`, page);
  return end === undefined || keys.length >= page.limit ? keys : undefined;
}

async function readKeys(
  access: StoreAccess,
  where: RawBuilder<unknown>,
  page: LogPage,
  from: RawBuilder<unknown> = sql`log_lines`,
): Promise<Key[]> {
  const { rows } = await sql<Key>`select logged_at as "loggedAt", id, size from ${from}
    where ${where} ${order(page)} limit ${page.limit}`.execute(access);
  return rows;
}

function limitBytes(keys: readonly Key[]): Key[] {
  let bytes = 0;
  return keys.filter(({ size }, index) => {
    bytes += size;
    return index === 0 || bytes <= MAX_PAGE_BYTES;
  });
}

function conditions(
  access: StoreAccess,
  selection: LogSelection,
  { oldestFirst, after }: LogPage,
): RawBuilder<boolean> {
  const { partId, levels, start, end, source, forUsers } = selection;
  const parts = [
    sql`part_id = ${partId}`,
    ...(levels === undefined ? [] : [isOneOf(levels)]),
    ...(start === undefined ? [] : [sql`logged_at >= ${start}`]),
    ...(end === undefined ? [] : [sql`logged_at < ${end}`]),
    ...(source === ''
      ? []
      : [
          sql`(logger_name = ${source} or logger_name like ${`${escapePattern(source)}.%`} escape '!')`,
        ]),
    ...(forUsers ? [isForUsers(access)] : []),
    ...(after === undefined ? [] : [isAfter({ oldestFirst }, after)]),
  ];
  return sql`${sql.join(parts, sql` and `)}`;
}

function isOneOf(levels: readonly string[]): RawBuilder<boolean> {
  return levels.length === 0 ? sql`1 = 0` : sql`level_key in (${sql.join(levels)})`;
}

/**
 * Returns the condition that a line has the field `user_facing`, and not just as part of another
 * field. Only lines that contain its text are parsed. PostgreSQL can't parse the escapes of
 * U+0000 and of unpaired surrogates, so a line with one of them matches if it contains the text.
 */
function isForUsers(access: StoreAccess): RawBuilder<boolean> {
  const hasField = isSqlite(access)
    ? sql`exists (select 1 from json_each(log_lines.fields) as field
        where json_type(field.value, '$.user_facing') = 'true')`
    : sql`case when fields ~ '\\\\u(0000|d[89a-f][0-9a-f]{2})' then true
        else fields::jsonb @> '[{"user_facing": true}]' end`;
  return sql`case when fields like '%"user_facing":true%' then ${hasField} else false end`;
}

/** Returns the condition that a line comes after another line in list order. */
function isAfter({ oldestFirst }: Pick<LogPage, 'oldestFirst'>, end: LogEnd): RawBuilder<boolean> {
  return comparePosition(oldestFirst ? '>' : '<', end);
}

/** Returns the condition that a line comes before another line in list order. */
function isBefore({ oldestFirst }: Pick<LogPage, 'oldestFirst'>, end: LogEnd): RawBuilder<boolean> {
  return comparePosition(oldestFirst ? '<' : '>', end);
}

// This condition must never be negated. With a negated condition, the databases would read all of
// the part's lines rather than an index range.
function comparePosition(comparison: '<' | '>', { loggedAt, id }: LogEnd): RawBuilder<boolean> {
  return sql`(logged_at, id) ${sql.raw(comparison)} (${loggedAt}, ${id})`;
}

function order({ oldestFirst }: LogPage): RawBuilder<unknown> {
  const direction = sql.raw(oldestFirst ? 'asc' : 'desc');
  return sql`order by logged_at ${direction}, id ${direction}`;
}

/**
 * Returns the condition that a message contains a string, ignoring case. The operators ignore the
 * case of ASCII letters. For all other letters, the folded column is used.
 */
function messageContains(access: StoreAccess, text: string): RawBuilder<boolean> {
  const operator = sql.raw(isSqlite(access) ? 'like' : 'ilike');
  return text === ''
    ? sql`1 = 1`
    : sql`coalesce(folded, message) ${operator} ${`%${escapePattern(text)}%`} escape '!'`;
}

/**
 * Returns true if all matches for a string should be read from the text index. Otherwise, lines are
 * scanned in order until the page is full. PostgreSQL makes this decision itself.
 */
async function isRare(access: StoreAccess, text: string): Promise<boolean> {
  if (!isSqlite(access)) return false;
  const { rows } = await sql<{ count: number }>`select count(*) as count from (
    select 1 from log_text where log_text match ${toPhrase(text)} limit ${MAX_INDEX_MATCHES})`.execute(
    access,
  );
  return (rows[0]?.count ?? 0) < MAX_INDEX_MATCHES;
}

/** Returns the lines that contain a string according to SQLite's text index. */
function linesInIndex(text: string): RawBuilder<unknown> {
  // A cross join is evaluated from left to right. With `id in (…)`, SQLite would scan all of the
  // part's lines.
  return sql`(select rowid as match_id from log_text where log_text match ${toPhrase(text)})
    cross join log_lines on id = match_id`;
}

/** Returns the lines with some IDs. */
function linesWithIds(ids: readonly number[]): RawBuilder<unknown> {
  // A JSON list keeps the statement the same for all numbers of IDs, so that it is prepared once.
  return sql`(select value as match_id from json_each(${JSON.stringify(ids)}))
    cross join log_lines on id = match_id`;
}

function toPhrase(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

function escapePattern(text: string): string {
  return text.replaceAll(/[!%_]/g, '!$&');
}
