import { sql } from 'kysely';
import { inBatches, queryByIds } from './idBatches';
import type { Micros } from './micros';
import type { ConfigReportRow } from './schema';
import type { StoreAccess } from './store';

/** Config that a machine has fetched. */
export interface FetchedConfig {
  partId: string;
  /** Revision that the response contained. */
  revision: string;
  /** `last_updated` of the part whose config was sent. */
  version: Micros;
  fetchedAt: Micros;
  fragments: readonly FetchedFragment[];
}

/** Fragment in the revision that a fetched config contains. */
export interface FetchedFragment {
  id: string;
  revision: string;
  /** True if the config names the revision, so that a newer one doesn't change the config. */
  isPinned: boolean;
}

/**
 * Records that a machine has fetched a config. The fragments are written only if the revision has
 * changed, because machines poll their configs. If a config contains the same fragment in several
 * revisions, its first one is recorded. Must run in a transaction.
 */
export async function recordFetch(access: StoreAccess, config: FetchedConfig): Promise<void> {
  const { partId, revision, fetchedAt } = config;
  const before = await access
    .selectFrom('config_reports')
    .select(['fetched_revision', 'fetched_at'])
    .where('part_id', '=', partId)
    .executeTakeFirst();
  const fetched = {
    fetched_revision: revision,
    fetched_version: config.version,
    fetched_at: fetchedAt,
    fetch_interval: before === undefined ? null : Math.max(0, fetchedAt - before.fetched_at),
  };
  await access
    .insertInto('config_reports')
    .values({ part_id: partId, ...fetched, applied_revision: null, applied_at: null })
    .onConflict((conflict) => conflict.column('part_id').doUpdateSet(fetched))
    .execute();
  if (before?.fetched_revision === revision) return;
  await access.deleteFrom('fetched_fragments').where('part_id', '=', partId).execute();
  await inBatches(config.fragments, (batch) =>
    access
      .insertInto('fetched_fragments')
      .values(
        batch.map((fragment) => ({
          part_id: partId,
          fragment_id: fragment.id,
          revision: fragment.revision,
          is_pinned: fragment.isPinned ? 1 : 0,
        })),
      )
      .onConflict((conflict) => conflict.doNothing())
      .execute(),
  );
}

/**
 * Records the revision of the config that a machine runs. Writes nothing if the machine has already
 * reported this revision or has never fetched a config.
 */
export async function recordApplied(
  access: StoreAccess,
  partId: string,
  revision: string,
  at: Micros,
): Promise<void> {
  await access
    .updateTable('config_reports')
    .set({ applied_revision: revision, applied_at: at })
    .where('part_id', '=', partId)
    .where((where) =>
      where.or([where('applied_revision', 'is', null), where('applied_revision', '<>', revision)]),
    )
    .execute();
}

/** Config report of a part, and whether the fetched config contains everything that is saved. */
export interface ConfigReport extends ConfigReportRow {
  isCurrent: boolean;
}

/**
 * Returns the config reports of parts, with one query. Omits parts that have not fetched a config.
 */
export async function listConfigReports(
  access: StoreAccess,
  partIds: readonly string[],
): Promise<Map<string, ConfigReport>> {
  const rows = await queryByIds(partIds, async (ids) => {
    const answer = await sql<ConfigReportRow & { is_current: number }>`
      select r.*, case when r.fetched_version = p.last_updated and not exists (
          select 1 from fetched_fragments u left join fragments f on f.id = u.fragment_id
            where u.part_id = r.part_id and u.is_pinned = 0
              and (f.revision is null or f.revision <> u.revision)
        ) then 1 else 0 end as is_current
      from config_reports r join parts p on p.id = r.part_id
      where r.part_id in (${sql.join(ids)})`.execute(access);
    return answer.rows;
  });
  return new Map(
    rows.map(({ is_current: isCurrent, ...row }) => [
      row.part_id,
      { ...row, isCurrent: isCurrent === 1 },
    ]),
  );
}
