import { type RawBuilder, sql } from 'kysely';
import { queryByIds } from '../idBatches';
import { isSqlite } from '../isSqlite';
import type { Micros } from '../micros';
import type { StoreAccess } from '../store';
import { foldCase } from './foldCase';
import type { LogLineRow } from './logSchema';

/** Which lines of a part to list; what is absent or empty does not narrow. */
export interface LogSelection {
  partId: string;
  /** A piece of the message, in small or capital letters. */
  text: string;
  /** In small letters. */
  levels: readonly string[];
  /** The first moment, and the first that is too late. */
  start: Micros | undefined;
  end: Micros | undefined;
  /** The name of a logger, or of one that it belongs to: `rdk` has the lines of `rdk.resource`. */
  source: string;
  /** Only lines with the field `user_facing`. */
  forUsers: boolean;
}

/** The line that a page ended with. */
export interface LogEnd {
  loggedAt: Micros;
  id: number;
}

/** Which part of a selection to list. */
export interface LogPage {
  oldestFirst: boolean;
  after: LogEnd | undefined;
  limit: number;
}

/** So many lines are read through before an index of their texts is asked: most pages are full then. */
const READ_THROUGH = 2000;
/** A text that more lines have than these is met soon when they are read in their order. */
const RARE_LINES = 20_000;
/** The index knows texts of so many letters and more. */
const INDEXED_LETTERS = 3;

/** How many bytes a page has at most; the first line may have more. */
const MAX_PAGE_BYTES = 8 * 1024 * 1024;

type Key = LogEnd & Pick<LogLineRow, 'size'>;

/**
 * A page of lines in the order of their time, and where it ends if it is not the last. Lines that
 * arrive in the meantime move none of it.
 */
export async function pageOfLogLines(
  access: StoreAccess,
  selection: LogSelection,
  page: LogPage,
): Promise<{ rows: LogLineRow[]; end: LogEnd | undefined }> {
  const found = await findLines(access, selection, { ...page, limit: page.limit + 1 });
  const keys = cut(found.slice(0, page.limit));
  const rows = await queryByIds(
    keys.map(({ id }) => id),
    (batch) => access.selectFrom('log_lines').selectAll().where('id', 'in', batch).execute(),
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  return {
    rows: keys.flatMap(({ id }) => byId.get(id) ?? []),
    end: keys.length < found.length ? keys.at(-1) : undefined,
  };
}

async function findLines(
  access: StoreAccess,
  selection: LogSelection,
  page: LogPage,
): Promise<Key[]> {
  const text = foldCase(selection.text);
  const where = conditions(selection, page);
  if (Array.from(text).length < INDEXED_LETTERS) {
    return readKeys(access, sql`${where} and ${messageHas(access, text)}`, page);
  }
  const near = await readThrough(access, { ...selection, text }, page);
  if (near !== undefined) {
    return near;
  }
  const found = (await isRare(access, text)) ? foundInIndex(text) : sql`log_lines`;
  return readKeys(access, sql`${where} and ${messageHas(access, text)}`, page, found);
}

/** The page, if it ends among the next lines; undefined when it goes on behind them. */
async function readThrough(
  access: StoreAccess,
  selection: LogSelection,
  page: LogPage,
): Promise<Key[] | undefined> {
  const where = conditions(selection, page);
  const { rows } = await sql<LogEnd>`select logged_at as "loggedAt", id from log_lines
    where ${where} ${order(page)} limit 1 offset ${READ_THROUGH}`.execute(access);
  const end = rows[0];
  const near = end === undefined ? where : sql`${where} and ${isBefore(page, end)}`;
  const hasText = messageHas(access, selection.text);
  const keys = await readKeys(access, sql`${near} and ${hasText}`, page);
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

function cut(keys: readonly Key[]): Key[] {
  let bytes = 0;
  return keys.filter(({ size }, index) => {
    bytes += size;
    return index === 0 || bytes <= MAX_PAGE_BYTES;
  });
}

function conditions(selection: LogSelection, { oldestFirst, after }: LogPage): RawBuilder<boolean> {
  const { partId, levels, start, end, source, forUsers } = selection;
  const parts = [
    sql`part_id = ${partId}`,
    ...(levels.length === 0 ? [] : [sql`level_key in (${sql.join(levels)})`]),
    ...(start === undefined ? [] : [sql`logged_at >= ${start}`]),
    ...(end === undefined ? [] : [sql`logged_at < ${end}`]),
    ...(source === ''
      ? []
      : [sql`(logger_name = ${source} or logger_name like ${`${pattern(source)}.%`} escape '!')`]),
    ...(forUsers ? [sql`fields like '%"user_facing":true%'`] : []),
    ...(after === undefined ? [] : [isBehind({ oldestFirst }, after)]),
  ];
  return sql`${sql.join(parts, sql` and `)}`;
}

/** The condition that a line comes after another. */
function isBehind({ oldestFirst }: Pick<LogPage, 'oldestFirst'>, end: LogEnd): RawBuilder<boolean> {
  return compared(oldestFirst ? '>' : '<', end);
}

/** The condition that a line comes before another. */
function isBefore({ oldestFirst }: Pick<LogPage, 'oldestFirst'>, end: LogEnd): RawBuilder<boolean> {
  return compared(oldestFirst ? '<' : '>', end);
}

// Never negated: the databases would read all lines of the part instead of a range of their index.
function compared(comparison: '<' | '>', { loggedAt, id }: LogEnd): RawBuilder<boolean> {
  return sql`(logged_at, id) ${sql.raw(comparison)} (${loggedAt}, ${id})`;
}

function order({ oldestFirst }: LogPage): RawBuilder<unknown> {
  const direction = sql.raw(oldestFirst ? 'asc' : 'desc');
  return sql`order by logged_at ${direction}, id ${direction}`;
}

/** The letters' case does not count. The operators know of ASCII, the column of all others. */
function messageHas(access: StoreAccess, text: string): RawBuilder<boolean> {
  const operator = sql.raw(isSqlite(access) ? 'like' : 'ilike');
  return text === ''
    ? sql`1 = 1`
    : sql`coalesce(folded, message) ${operator} ${`%${pattern(text)}%`} escape '!'`;
}

/**
 * Whether to read all that an index of the texts has of a text, rather than the lines in their order
 * until the page is full. PostgreSQL decides by itself.
 */
async function isRare(access: StoreAccess, text: string): Promise<boolean> {
  if (!isSqlite(access)) {
    return false;
  }
  const { rows } = await sql<{ count: number }>`select count(*) as count from (
    select 1 from log_text where log_text match ${phrase(text)} limit ${RARE_LINES})`.execute(
    access,
  );
  return (rows[0]?.count ?? 0) < RARE_LINES;
}

/** The lines that the index of SQLite has of a text, read from there. */
function foundInIndex(text: string): RawBuilder<unknown> {
  // A cross join goes from left to right. With `id in (…)` SQLite walks through all lines of the part.
  return sql`(select rowid as found from log_text where log_text match ${phrase(text)})
    cross join log_lines on id = found`;
}

function phrase(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

function pattern(text: string): string {
  return text.replaceAll(/[!%_]/g, '!$&');
}
