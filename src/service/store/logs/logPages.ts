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
/** The index knows texts of so many letters and more. */
const INDEXED_LETTERS = 3;

/** How many bytes a page has at most; the first line may have more. */
const MAX_PAGE_BYTES = 8 * 1024 * 1024;

type Key = LogEnd & Pick<LogLineRow, 'size'>;

/**
 * A page of lines in the order of their time, and where it ends if it is not the last. Lines that
 * arrive meanwhile move none of it.
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
  return near ?? readKeys(access, sql`${where} and ${indexHas(access, text)}`, page);
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
  const near = end === undefined ? where : sql`${where} and not ${isBehind(page, end, true)}`;
  const hasText = messageHas(access, selection.text);
  const keys = await readKeys(access, sql`${near} and ${hasText}`, page);
  return end === undefined || keys.length >= page.limit ? keys : undefined;
}

async function readKeys(
  access: StoreAccess,
  where: RawBuilder<unknown>,
  page: LogPage,
): Promise<Key[]> {
  const { rows } = await sql<Key>`select logged_at as "loggedAt", id, size from log_lines
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
    ...(after === undefined ? [] : [isBehind({ oldestFirst }, after, false)]),
  ];
  return sql`${sql.join(parts, sql` and `)}`;
}

/** The condition that a line comes after another, or is the other itself. */
function isBehind(
  { oldestFirst }: Pick<LogPage, 'oldestFirst'>,
  { loggedAt, id }: LogEnd,
  orSame: boolean,
): RawBuilder<boolean> {
  const comparison = sql.raw((oldestFirst ? '>' : '<') + (orSame ? '=' : ''));
  return sql`(logged_at, id) ${comparison} (${loggedAt}, ${id})`;
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

/** The same, along the index of the texts. PostgreSQL finds it by itself. */
function indexHas(access: StoreAccess, text: string): RawBuilder<boolean> {
  if (!isSqlite(access)) {
    return messageHas(access, text);
  }
  const phrase = `"${text.replaceAll('"', '""')}"`;
  return sql`id in (select rowid from log_text where log_text match ${phrase})
    and ${messageHas(access, text)}`;
}

function pattern(text: string): string {
  return text.replaceAll(/[!%_]/g, '!$&');
}
