import { type RawBuilder, sql } from 'kysely';
import { inBatches, queryByIds } from './identifiers';
import type { Micros } from './micros';
import type { ConfigReportRow, MachineRow, PartRow } from './schema';
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

/** True if the report `r` of the part `p` is about a config that contains everything that is saved. */
const IS_CURRENT = sql<boolean>`r.fetched_version = p.last_updated and not exists (
    select 1 from fetched_fragments u left join fragments f on f.id = u.fragment_id
      where u.part_id = r.part_id and u.is_pinned = 0
        and (f.revision is null or f.revision <> u.revision)
  )`;

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
      select r.*, case when ${IS_CURRENT} then 1 else 0 end as is_current
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

/** Rollout state of a part. */
export type RolloutState = 'applied' | 'pending' | 'pinned' | 'unknown';

/** Fragment and the parts among which to look for it. */
export interface RolloutSelection {
  fragmentId: string;
  /** The fragment's saved revision. */
  revision: string;
  /** Locations whose machines are all included. */
  locationIds: readonly string[];
  /** Other machines to include, which must be in other locations. */
  machineIds: readonly string[];
}

/** Part that uses a fragment. */
export interface PartInRollout extends Pick<
  PartRow,
  'id' | 'machine_id' | 'name' | 'is_main' | 'last_access'
> {
  machine_name: MachineRow['name'];
  location_id: MachineRow['location_id'];
  /** Time when the machine was created, which determines the order of parts. */
  created_at: Micros;
  state: RolloutState;
  /** Revision in the fetched config; null if that config doesn't contain the fragment. */
  fetched_revision: string | null;
  fetched_at: Micros | null;
}

/** Page of a rollout. */
export interface RolloutPage {
  states: readonly RolloutState[];
  /** Last part of the previous page. */
  after: Pick<PartInRollout, 'created_at' | 'id'> | undefined;
  limit: number;
}

/** Parts of a page, and the number of all parts in each state. */
export interface Rollout {
  counts: Record<RolloutState, number>;
  /** Parts in the order in which their machines were created. */
  parts: PartInRollout[];
}

type CountRow = Record<`${RolloutState}_count`, number>;
/** Row of a part; without parts, a single row with only the counts. */
type RolloutRow = CountRow & (PartInRollout | { id: null });

/** Returns a page of a rollout, with one query. */
export async function listRollout(
  access: StoreAccess,
  selection: RolloutSelection,
  { states, after, limit }: RolloutPage,
): Promise<Rollout> {
  const isShown = states.length > 0 ? sql`state in (${sql.join(states)})` : sql`1 = 0`;
  const isAfter = after
    ? sql`and (created_at > ${after.created_at}
        or (created_at = ${after.created_at} and id > ${after.id}))`
    : sql``;
  const counts: Rollout['counts'] = { applied: 0, pending: 0, pinned: 0, unknown: 0 };
  const rows = await forEachBatch(selection, async (parts) => {
    const answer = await sql<RolloutRow>`
      with ${parts}, counts as (
        select count(case when state = 'applied' then 1 end) as applied_count,
            count(case when state = 'pending' then 1 end) as pending_count,
            count(case when state = 'pinned' then 1 end) as pinned_count,
            count(case when state = 'unknown' then 1 end) as unknown_count
          from rollout
      ), page as (
        select * from rollout where ${isShown} ${isAfter}
          order by created_at, id limit ${limit}
      ) select * from counts left join page on true`.execute(access);
    const [first] = answer.rows;
    counts.applied += first?.applied_count ?? 0;
    counts.pending += first?.pending_count ?? 0;
    counts.pinned += first?.pinned_count ?? 0;
    counts.unknown += first?.unknown_count ?? 0;
    return answer.rows.filter((row) => row.id !== null);
  });
  const parts = rows.toSorted((a, b) => a.created_at - b.created_at || (a.id < b.id ? -1 : 1));
  return { counts, parts: parts.slice(0, limit) };
}

/**
 * Runs a query over the selected parts in batches, whose parts are disjoint. The query can use the
 * table `rollout`, which contains the parts that use the fragment. Their state is null if they use
 * the fragment only in revisions of other fragments that they don't run.
 */
async function forEachBatch<Row>(
  { fragmentId, revision, locationIds, machineIds }: RolloutSelection,
  query: (parts: RawBuilder<unknown>) => Promise<readonly Row[]>,
): Promise<Row[]> {
  const rollout = (isSelected: RawBuilder<unknown>): RawBuilder<unknown> => sql`
    recursive within (id) as (
      select id from fragments where id = ${fragmentId}
      union
      select n.parent_id from within join nested_fragments n on n.child_id = within.id
    ), users (part_id) as (
      select s.part_id from within join part_fragments s on s.fragment_id = within.id
      union
      select part_id from fetched_fragments where fragment_id = ${fragmentId}
    ), rollout as materialized (
      select p.id, p.name, p.is_main, p.last_access, p.machine_id,
          m.name as machine_name, m.location_id, m.created_at,
          g.revision as fetched_revision, r.fetched_at,
          case
            when r.part_id is null then 'unknown'
            when g.revision = ${revision} then case
              when r.applied_revision is null then 'unknown'
              when r.applied_revision = r.fetched_revision then 'applied'
              else 'pending' end
            when g.is_pinned = 0 or not (${IS_CURRENT}) then 'pending'
            when g.revision is not null then 'pinned'
          end as state
        from users
        join parts p on p.id = users.part_id
        join machines m on m.id = p.machine_id
        left join config_reports r on r.part_id = p.id
        left join fetched_fragments g on g.part_id = p.id and g.fragment_id = ${fragmentId}
        where ${isSelected}
    )`;
  return [
    ...(await queryByIds(locationIds, (ids) =>
      query(rollout(sql`m.location_id in (${sql.join(ids)})`)),
    )),
    ...(await queryByIds(machineIds, (ids) => query(rollout(sql`m.id in (${sql.join(ids)})`)))),
  ];
}
