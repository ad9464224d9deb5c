import { sql } from 'kysely';
import { PRIVATE_VISIBILITY } from './fragments';
import { queryByIds } from './identifiers';
import type { MachineRow, PartRow } from './schema';
import type { StoreAccess } from './store';

/** Columns of a machine that its summary contains. */
export type MachineInSummary = Pick<MachineRow, 'id' | 'name' | 'location_id'>;

/** Machines to summarize. */
export interface SummarizedMachines {
  /** Locations whose machines are all included. */
  readonly locationIds: readonly string[];
  /** Other machines to include. */
  readonly machineIds: readonly string[];
  /**
   * If not empty, only machines that use one of these fragments, directly or through other
   * fragments.
   */
  readonly fragmentIds: readonly string[];
}

/** Returns machines, oldest first, without their parts. */
export async function listSummarizedMachines(
  access: StoreAccess,
  { locationIds, machineIds, fragmentIds }: SummarizedMachines,
): Promise<MachineInSummary[]> {
  const select = (column: 'location_id' | 'id') => (batch: readonly string[]) =>
    access
      .selectFrom('machines')
      .select(['id', 'name', 'location_id', 'created_at'])
      .where(column, 'in', batch)
      .execute();
  const rows = [
    ...(await queryByIds(locationIds, select('location_id'))),
    ...(await queryByIds(machineIds, select('id'))),
  ];
  const using = fragmentIds.length > 0 ? await listMachinesUsing(access, fragmentIds) : undefined;
  return rows
    .filter(({ id }) => using?.has(id) ?? true)
    .toSorted((a, b) => a.created_at - b.created_at || (a.id < b.id ? -1 : 1));
}

async function listMachinesUsing(
  access: StoreAccess,
  fragmentIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await queryByIds(fragmentIds, async (batch) => {
    const answer = await sql<{ machine_id: string }>`with recursive within (id) as (
        select f.id from fragments f where f.id in (${sql.join(batch)})
        union
        select n.parent_id from within join nested_fragments n on n.child_id = within.id
      ) select distinct p.machine_id
        from part_fragments u
        join parts p on p.id = u.part_id
        where u.fragment_id in (${sql.join(batch)})
          or u.fragment_id in (select id from within)`.execute(access);
    return answer.rows;
  });
  return new Set(rows.map((row) => row.machine_id));
}

/** Columns of a part that its summary contains. Excludes the config, which can be large. */
export type PartInSummary = Pick<PartRow, 'id' | 'machine_id' | 'name' | 'is_main' | 'last_access'>;

/** Returns the parts of machines: main parts first, then in order of creation. */
export async function listSummarizedParts(
  access: StoreAccess,
  machineIds: readonly string[],
): Promise<PartInSummary[]> {
  return queryByIds(machineIds, (batch) =>
    access
      .selectFrom('parts')
      .select(['id', 'machine_id', 'name', 'is_main', 'last_access'])
      .where('machine_id', 'in', batch)
      .orderBy('is_main', 'desc')
      .orderBy('created_at')
      .orderBy('id')
      .execute(),
  );
}

/** Fragment that the config of a part imports. */
export interface ImportedFragment {
  readonly part_id: string;
  readonly fragment_id: string;
  /** Name of the fragment; null if machines of the organization can't use the fragment. */
  readonly name: string | null;
}

/**
 * Returns the fragments that the configs of the machines' parts import themselves, in the order of
 * their IDs.
 * @param organizationId organization whose private fragments have a name in the result
 */
export async function listImportedFragments(
  access: StoreAccess,
  organizationId: string,
  machineIds: readonly string[],
): Promise<ImportedFragment[]> {
  return queryByIds(machineIds, (batch) =>
    access
      .selectFrom('parts as p')
      .innerJoin('part_fragments as u', 'u.part_id', 'p.id')
      .leftJoin('fragments as f', (join) =>
        join
          .onRef('f.id', '=', 'u.fragment_id')
          .on((eb) =>
            eb.or([
              eb('f.organization_id', '=', organizationId),
              eb('f.visibility', '<>', PRIVATE_VISIBILITY),
            ]),
          ),
      )
      .select(['u.part_id', 'u.fragment_id', 'f.name'])
      .where('p.machine_id', 'in', batch)
      .orderBy('u.fragment_id')
      .execute(),
  );
}
