import { sql } from 'kysely';
import { queryByIds } from './identifiers';
import type { Micros } from './micros';
import type { FragmentRevisionRow, FragmentRow } from './schema';
import type { StoreAccess } from './store';

/** Numeric wire value for the visibility of fragments that only their own organization can read. */
export const PRIVATE_VISIBILITY = 1;

/** Fragment with the name and namespace of the organization that owns it. */
export type FragmentWithOwner = FragmentRow & {
  organization_name: string;
  public_namespace: string | null;
};

/** Fragment in a list. Contains the size of the config in bytes rather than the config. */
export type ListedFragment = Omit<FragmentWithOwner, 'config_json'> & { config_bytes: number };

export async function insertFragment(access: StoreAccess, fragment: FragmentRow): Promise<void> {
  await access.insertInto('fragments').values(fragment).execute();
}

function selectFragments(access: StoreAccess) {
  return access
    .selectFrom('fragments as f')
    .innerJoin('organizations as o', 'o.id', 'f.organization_id')
    .selectAll('f')
    .select(['o.name as organization_name', 'o.public_namespace']);
}

export async function findFragment(
  access: StoreAccess,
  id: string,
): Promise<FragmentWithOwner | undefined> {
  return selectFragments(access).where('f.id', '=', id).executeTakeFirst();
}

/**
 * Returns the given fragments that an organization's machines can use: the organization's own
 * fragments and published ones.
 */
export async function listUsableFragments(
  access: StoreAccess,
  organizationId: string,
  ids: readonly string[],
): Promise<FragmentWithOwner[]> {
  return queryByIds(ids, (batch) =>
    selectFragments(access)
      .where('f.id', 'in', batch)
      .where((eb) =>
        eb.or([
          eb('f.organization_id', '=', organizationId),
          eb('f.visibility', '<>', PRIVATE_VISIBILITY),
        ]),
      )
      .execute(),
  );
}

/** Like `listUsableFragments`, but returns only the IDs, and doesn't read the configs. */
export async function listUsableFragmentIds(
  access: StoreAccess,
  organizationId: string,
  ids: readonly string[],
): Promise<string[]> {
  const rows = await queryByIds(ids, (batch) =>
    access
      .selectFrom('fragments')
      .select('id')
      .where('id', 'in', batch)
      .where((eb) =>
        eb.or([
          eb('organization_id', '=', organizationId),
          eb('visibility', '<>', PRIVATE_VISIBILITY),
        ]),
      )
      .execute(),
  );
  return rows.map(({ id }) => id);
}

/**
 * Returns an organization's fragments that have one of the visibilities, oldest first. With
 * `publicVisibility`, also returns all organizations' published fragments.
 */
export async function listFragments(
  access: StoreAccess,
  organizationId: string,
  visibilities: readonly number[],
  publicVisibility: number | undefined,
): Promise<ListedFragment[]> {
  return access
    .selectFrom('fragments as f')
    .innerJoin('organizations as o', 'o.id', 'f.organization_id')
    .select([
      'f.id',
      'f.organization_id',
      'f.name',
      'f.visibility',
      'f.revision',
      'f.created_at',
      'f.last_updated',
    ])
    .select(['o.name as organization_name', 'o.public_namespace'])
    .select(sql<number>`octet_length(f.config_json)`.as('config_bytes'))
    .where((eb) =>
      eb.or([
        eb.and([
          eb('f.organization_id', '=', organizationId),
          eb('f.visibility', 'in', visibilities.length > 0 ? visibilities : [-1]),
        ]),
        eb('f.visibility', '=', publicVisibility ?? -1),
      ]),
    )
    .orderBy('f.created_at')
    .orderBy('f.id')
    .execute();
}

/** Returns the configs of the given fragments as JSON strings, by fragment ID. */
export async function listFragmentConfigs(
  access: StoreAccess,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const rows = await queryByIds(ids, (batch) =>
    access.selectFrom('fragments').select(['id', 'config_json']).where('id', 'in', batch).execute(),
  );
  return new Map(rows.map((row) => [row.id, row.config_json]));
}

export async function deleteFragment(access: StoreAccess, id: string): Promise<void> {
  await access.deleteFrom('fragments').where('id', '=', id).execute();
}

/** Returns a revision of a fragment; undefined if the revision doesn't exist. */
export async function findFragmentRevision(
  access: StoreAccess,
  fragmentId: string,
  revision: string,
): Promise<FragmentRevisionRow | undefined> {
  return access
    .selectFrom('fragment_revisions')
    .selectAll()
    .where('fragment_id', '=', fragmentId)
    .where('old_revision', '=', revision)
    .executeTakeFirst();
}

/**
 * Returns past revisions, by name, that an organization's machines can use. These are the revisions
 * of the organization's own fragments, and the revisions of other organizations' fragments that
 * weren't private at the time.
 */
export async function listFragmentRevisionsNamed(
  access: StoreAccess,
  organizationId: string,
  revisions: readonly string[],
): Promise<FragmentRevisionRow[]> {
  return queryByIds(revisions, (batch) =>
    access
      .selectFrom('fragment_revisions as r')
      .innerJoin('fragments as f', 'f.id', 'r.fragment_id')
      .selectAll('r')
      .where('r.old_revision', 'in', batch)
      .where((eb) =>
        eb.or([
          eb('f.organization_id', '=', organizationId),
          eb('r.old_visibility', '<>', PRIVATE_VISIBILITY),
        ]),
      )
      .execute(),
  );
}

/** Past revision of a fragment, without its content. */
export interface RevisionSummary {
  revision: string;
  createdAt: Micros;
  visibility: number;
}

/**
 * Maximum number of revisions per fragment in a response. The fragment's history contains all
 * revisions.
 */
const MAX_SUMMARIES = 1000;

/** Returns a fragment's past revisions, newest first. */
export async function listRevisionVisibilities(
  access: StoreAccess,
  fragmentId: string,
): Promise<RevisionSummary[]> {
  return access
    .selectFrom('fragment_revisions')
    .select([
      'old_revision as revision',
      'old_last_updated as createdAt',
      'old_visibility as visibility',
    ])
    .where('fragment_id', '=', fragmentId)
    .orderBy('sequence', 'desc')
    .limit(MAX_SUMMARIES)
    .execute();
}
