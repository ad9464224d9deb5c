import { sql } from 'kysely';
import { recordContact } from '../parts';
import type { Micros } from '../micros';
import { insertRows, lockRow, type StoreAccess } from '../store';
import type { LogLineRow } from './logSchema';

/** Received line that hasn't been stored yet. */
export type NewLogLine = Omit<LogLineRow, 'id' | 'part_id' | 'stored_at'>;

/** Columns whose values come from the line itself. */
const OWN_COLUMNS = [
  ...(['logged_at', 'size', 'level', 'level_key', 'logger_name', 'host', 'message'] as const),
  ...(['folded', 'caller', 'stack', 'fields'] as const),
];

/**
 * Number of lines per statement. Ten thousand lines would require far more parameters than either
 * database allows.
 */
const BATCH_LINES = 500;
/** Number of lines per partial sum. Computing a partial sum takes about ten milliseconds. */
const SUMMED_LINES = 50_000;

/**
 * Maximum number of stored lines to compare with received lines. The limit is relevant for a
 * machine with a stopped clock, whose lines all have the same timestamp.
 */
const MAX_KNOWN_LINES = 10_000;
const MAX_KNOWN_BYTES = 64 * 1024 * 1024;

/**
 * Stores a part's lines that aren't stored yet. A machine that didn't receive a response sends its
 * lines again. Must run in a transaction that stores either all lines or none.
 * @returns the newly stored lines.
 */
export async function insertLogLines(
  access: StoreAccess,
  partId: string,
  lines: readonly NewLogLine[],
  storedAt: Micros,
): Promise<NewLogLine[]> {
  // Serializes a part's uploads. Otherwise, two concurrent uploads with the same lines wouldn't
  // detect the duplicates.
  await lockRow(access, 'parts', partId);
  await recordContact(access, [partId], storedAt);
  const fresh = await withoutKnown(access, partId, lines);
  const rows = fresh.map((line) => [
    partId,
    storedAt,
    ...OWN_COLUMNS.map((column) => line[column]),
  ]);
  await insertRows(access, 'log_lines', ['part_id', 'stored_at', ...OWN_COLUMNS], rows);
  return fresh;
}

/** Returns the lines that occur less often in the store than among the given lines. */
async function withoutKnown(
  access: StoreAccess,
  partId: string,
  lines: readonly NewLogLine[],
): Promise<NewLogLine[]> {
  const known = new Map<string, number>();
  for (const ids of batches(await likelyKnown(access, partId, lines))) {
    const rows = await access.selectFrom('log_lines').selectAll().where('id', 'in', ids).execute();
    for (const row of rows) {
      known.set(identity(row), (known.get(identity(row)) ?? 0) + 1);
    }
  }
  return lines.filter((line) => {
    const key = identity(line);
    const left = known.get(key) ?? 0;
    known.set(key, left - 1);
    return left <= 0;
  });
}

/**
 * Returns the IDs of the most recently stored lines that have the same timestamps as the given
 * lines, up to the limits for one call.
 */
async function likelyKnown(
  access: StoreAccess,
  partId: string,
  lines: readonly NewLogLine[],
): Promise<number[]> {
  const ids: number[] = [];
  let bytes = 0;
  for (const times of batches([...new Set(lines.map(({ logged_at }) => logged_at))])) {
    const rows = await access
      .selectFrom('log_lines')
      .select(['id', 'size'])
      .where('part_id', '=', partId)
      .where('logged_at', 'in', times)
      .orderBy('id', 'desc')
      .limit(MAX_KNOWN_LINES)
      .execute();
    for (const { id, size } of rows) {
      bytes += size;
      if (bytes > MAX_KNOWN_BYTES || ids.length >= MAX_KNOWN_LINES) return ids;
      ids.push(id);
    }
  }
  return ids;
}

function batches<Item>(items: readonly Item[]): Item[][] {
  const count = Math.ceil(items.length / BATCH_LINES);
  return Array.from({ length: count }, (_, index) =>
    items.slice(index * BATCH_LINES, (index + 1) * BATCH_LINES),
  );
}

function identity(line: NewLogLine): string {
  const { logged_at, level, logger_name, host, message, caller, stack, fields } = line;
  return JSON.stringify([logged_at, level, logger_name, host, message, caller, stack, fields]);
}

/** Yields partial sums of the sizes of all lines. Other work can run between them. */
export async function* sumLogBytes(access: StoreAccess): AsyncGenerator<number, void> {
  for (let id: number | null = 0; id !== null;) {
    const { bytes, last } = await bytesBehind(access, id);
    yield Number(bytes);
    id = last;
  }
}

async function bytesBehind(
  access: StoreAccess,
  id: number,
): Promise<{ bytes: number | string; last: number | null }> {
  const { rows } = await sql<{ bytes: number | string; last: number | null }>`
    select coalesce(sum(size), 0) as bytes, max(id) as last from (
      select id, size from log_lines where id > ${id} order by id limit ${SUMMED_LINES}
    ) as some_lines`.execute(access);
  return rows[0] ?? { bytes: 0, last: null };
}

/**
 * Deletes the lines that were stored first, in batches.
 * @param storedBefore deletes only lines that were stored before this time.
 * @returns the number of deleted lines and their size in bytes.
 */
export async function deleteOldestLogLines(
  access: StoreAccess,
  storedBefore: Micros,
  limit: number,
): Promise<{ count: number; bytes: number }> {
  const oldest = await access
    .selectFrom('log_lines')
    .select('id')
    .where('stored_at', '<', storedBefore)
    .orderBy('stored_at')
    .limit(limit)
    .execute();
  if (oldest.length === 0) return { count: 0, bytes: 0 };
  const ids = oldest.map(({ id }) => id);
  const rows = await access
    .deleteFrom('log_lines')
    .where('id', 'in', ids)
    .returning('size')
    .execute();
  return { count: rows.length, bytes: rows.reduce((sum, { size }) => sum + size, 0) };
}
