import type { Micros } from './micros';
import { type FragmentWithOwner, PRIVATE_VISIBILITY } from './fragments';
import { queryByIds } from './idBatches';
import type { RevisionPage } from './parts';
import type { FragmentRevisionRow } from './schema';
import type { StoreAccess } from './store';

/** Returns the edits of a fragment, newest first. */
export async function listFragmentRevisions(
  access: StoreAccess,
  fragmentId: string,
  page: RevisionPage,
): Promise<FragmentRevisionRow[]> {
  return access
    .selectFrom('fragment_revisions')
    .selectAll()
    .where('fragment_id', '=', fragmentId)
    .$if(page.before !== undefined, (query) => query.where('sequence', '<', page.before ?? 0))
    .orderBy('sequence', 'desc')
    .limit(page.limit)
    .execute();
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
 * Returns past revisions, by name, that an organization's machines can use: revisions of the
 * organization's own fragments, and revisions of other organizations' fragments that weren't
 * private at the time.
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
 * Maximum number of revisions in the response for a fragment. The fragment's history contains all
 * of them.
 */
const MAX_SUMMARIES = 1000;

/** Returns the past revisions of a fragment, newest first. */
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

/** Returns a fragment with the content of one of its revisions. */
export function asRevision(
  fragment: FragmentWithOwner,
  revision: FragmentRevisionRow,
): FragmentWithOwner {
  return {
    ...fragment,
    name: revision.old_name,
    config_json: revision.old_config_json,
    visibility: revision.old_visibility,
    revision: revision.old_revision,
    last_updated: revision.old_last_updated,
  };
}
