import { sql } from 'kysely';
import { findRemoved } from '../store/data/coldReadings';
import type { ReadingRow } from '../store/data/dataSchema';
import {
  type Count,
  countByDays,
  type Span,
  spanAfter,
  startOfDay,
  sums,
  toUtcDay,
} from '../store/data/dayCounts';
import {
  inTime,
  type ReadingSelection,
  type SeriesFilter,
  selectMatchingIds,
} from '../store/data/readingsFilter';
import {
  findSeriesIds,
  mergePages,
  type ReadingsEnd,
  type ReadingsPage,
  readReadingsPage,
  type SourcePage,
} from '../store/data/readingsPages';
import type { Micros } from '../store/micros';
import type { Store } from '../store/store';
import type { ColdReadings, ColdSelection } from './coldReadings';

/** Maximum number of days among which a page is searched before the files of all days are read. */
const MAX_FIRST_DAYS = 100;

/** Reads readings from the records, and cold readings from files, as if all were in the records. */
export class ReadingsReader {
  /** @param cold absent if readings can't leave the records. */
  constructor(
    private readonly store: Store,
    private readonly cold: ColdReadings | undefined,
  ) {}

  /**
   * Returns a page of a selection and its end; the last page has no end. The cost doesn't depend on
   * the number of preceding readings. Readings that arrive between requests for pages don't cause
   * other readings to be skipped or repeated.
   * @throws DataLoss if files with cold readings are missing or damaged.
   */
  async readPage(
    selection: ReadingSelection,
    page: ReadingsPage,
    signal?: AbortSignal,
  ): Promise<{ rows: ReadingRow[]; end: ReadingsEnd | undefined }> {
    const { recorded, removed } = await this.readRecorded(() =>
      readReadingsPage(this.store, selection, page),
    );
    const span = spanOfPage(selection, page, recorded.rows);
    const readCold = async (part: Span<Micros>): Promise<SourcePage[]> => {
      const pages: SourcePage[] = [];
      for await (const [id, cold] of this.findCold({ ...selection, ...part }, removed)) {
        pages.push({ rows: (await this.cold?.readPage(id, cold, page, signal)) ?? [] });
      }
      return pages;
    };
    const first = removed.size === 0 ? undefined : await this.findFirstDays(selection, span, page);
    for (const part of first === undefined ? [span] : [first, span]) {
      const pages = await readCold(part);
      if (pages.length === 0) break;
      const merged = mergePages([recorded, ...pages], page);
      // Deletions, and readings that the selection excludes, can leave too few on these days.
      if (part === span || (merged.rows.length === page.limit && isWithin(part, merged.end))) {
        return { rows: merged.rows, end: merged.end ?? recorded.end };
      }
    }
    return recorded;
  }

  /**
   * Returns the number and the total size in bytes of the readings in a selection. Readings are
   * selected by capture time.
   */
  async count({ series, start, end }: ReadingSelection, signal?: AbortSignal): Promise<Count> {
    return countByDays(
      { start, end },
      (days) => countDays(this.store, series, days),
      (span) => this.countOneByOne({ series, ...span }, signal),
    );
  }

  private async countOneByOne(
    selection: ReadingSelection,
    signal: AbortSignal | undefined,
  ): Promise<Count> {
    const { recorded, removed } = await this.readRecorded(() =>
      sums(
        this.store,
        sql`select count(*) as count, sum(size) as bytes from readings
          where series_id in ${selectMatchingIds(selection.series)} and ${inTime(selection)}`,
      ),
    );
    let { count, bytes } = recorded;
    for await (const [organizationId, cold] of this.findCold(selection, removed)) {
      const totals = await this.cold?.count(organizationId, cold, signal);
      count += totals?.count ?? 0;
      bytes += totals?.bytes ?? 0;
    }
    return { count, bytes };
  }

  /**
   * Reads from the records, and returns which readings have left them: those up to an ID per
   * organization. Repeats the read if readings have left in the meantime, because it might have
   * missed them.
   */
  private async readRecorded<T>(
    read: () => Promise<T>,
  ): Promise<{ recorded: T; removed: ReadonlyMap<string, number> }> {
    for (let removed = await findRemoved(this.store); ;) {
      const recorded = await read();
      const now = await findRemoved(this.store);
      if ([...now].every(([id, through]) => removed.get(id) === through)) {
        return { recorded, removed };
      }
      removed = now;
    }
  }

  /**
   * Returns the part of a time range whose days have enough readings for a page, so that files of
   * other days needn't be read; undefined if that isn't known.
   */
  private async findFirstDays(
    { series }: ReadingSelection,
    { start, end }: Span<Micros>,
    { oldestFirst, limit }: ReadingsPage,
  ): Promise<Span<Micros> | undefined> {
    const direction = sql.raw(oldestFirst ? 'asc' : 'desc');
    const { rows } = await sql<{ day: number; count: number | string }>`
      select day, sum(row_count) as count from reading_days
      where series_id in ${selectMatchingIds(series)}
      and ${start === undefined ? sql`1 = 1` : sql`day >= ${toUtcDay(start)}`}
      and ${end === undefined ? sql`1 = 1` : sql`day <= ${toUtcDay(end)}`}
      group by day order by day ${direction} limit ${MAX_FIRST_DAYS}`.execute(this.store);
    let count = 0;
    // The page can start in the middle of the first day. PostgreSQL returns sums as text.
    const last = rows.slice(1).find((row) => {
      count += Number(row.count);
      return count >= limit;
    });
    if (last === undefined) return undefined;
    return oldestFirst
      ? { start, end: Math.min(end ?? Infinity, startOfDay(last.day + 1)) }
      : { start: Math.max(start ?? -Infinity, startOfDay(last.day)), end };
  }

  /** Yields the organizations with cold readings in a selection, and the selection of these. */
  private async *findCold(
    { series, start, end, storedFrom, throughId = Infinity }: ReadingSelection,
    removed: ReadonlyMap<string, number>,
  ): AsyncGenerator<[organizationId: string, ColdSelection]> {
    if (removed.size === 0) return;
    const seriesByOwner = await findSeriesIds(this.store, series, [...removed.keys()]);
    for (const [organizationId, seriesIds] of seriesByOwner) {
      const through = Math.min(removed.get(organizationId) ?? 0, throughId);
      yield [organizationId, { seriesIds, start, end, storedFrom, through }];
    }
  }
}

function isWithin({ start, end }: Span<Micros>, last: ReadingsEnd | undefined): boolean {
  if (last === undefined) return false;
  return last.requestedAt >= (start ?? -Infinity) && last.requestedAt < (end ?? Infinity);
}

/**
 * Returns the part of a time range in which other readings on a page can be.
 * @param rows the page if there were no others.
 */
function spanOfPage(
  selection: Span<Micros>,
  { oldestFirst, after, limit }: ReadingsPage,
  rows: readonly ReadingRow[],
): Span<Micros> {
  const { start, end } = { ...selection, ...spanAfter(selection, oldestFirst, after?.requestedAt) };
  const last = rows.length === limit ? rows.at(-1)?.requested_at : undefined;
  const from = oldestFirst ? [start] : [start, last];
  const to = oldestFirst ? [end, last === undefined ? undefined : last + 1] : [end];
  const latest = Math.max(...from.map((time) => time ?? -Infinity));
  const earliest = Math.min(...to.map((time) => time ?? Infinity));
  return {
    start: Number.isFinite(latest) ? latest : undefined,
    end: Number.isFinite(earliest) ? earliest : undefined,
  };
}

async function countDays(
  store: Store,
  series: SeriesFilter,
  { start, end }: Span<number>,
): Promise<Count> {
  return sums(
    store,
    sql`select sum(row_count) as count, sum(byte_count) as bytes from reading_days
      where series_id in ${selectMatchingIds(series)}
      and ${start === undefined ? sql`1 = 1` : sql`day >= ${start}`}
      and ${end === undefined ? sql`1 = 1` : sql`day < ${end}`}`,
  );
}
