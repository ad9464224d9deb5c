import type { Micros } from './micros';
import type { Editor, RevisionPage } from './parts';
import type { FragmentRevisionRow, FragmentRow } from './schema';
import type { StoreAccess } from './store';

/** A fragment with the name and namespace of the organization that owns it. */
export type FragmentWithOwner = FragmentRow & {
  organization_name: string;
  public_namespace: string | null;
};

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
 * Fragments of an organization with one of the visibilities, and with `publicVisibility` those
 * that any organization has published, the oldest first.
 */
export async function listFragments(
  access: StoreAccess,
  organizationId: string,
  visibilities: readonly number[],
  publicVisibility: number | undefined,
): Promise<FragmentWithOwner[]> {
  return selectFragments(access)
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

/** What an edit of a fragment writes. */
export interface FragmentContent {
  name: string;
  configJson: string;
  visibility: number;
  revision: string;
  lastUpdated: Micros;
}

/**
 * Writes over the version that was read, and that version into the history.
 * @returns false, with nothing changed, when somebody else wrote in between. Run it in a
 *   transaction.
 */
export async function replaceFragment(
  access: StoreAccess,
  old: FragmentRow,
  next: FragmentContent,
  editor: Editor,
): Promise<boolean> {
  const updated = await access
    .updateTable('fragments')
    .set({
      name: next.name,
      config_json: next.configJson,
      visibility: next.visibility,
      revision: next.revision,
      last_updated: next.lastUpdated,
    })
    .where('id', '=', old.id)
    .where('last_updated', '=', old.last_updated)
    .executeTakeFirst();
  if (updated.numUpdatedRows === 0n) {
    return false;
  }
  await access
    .insertInto('fragment_revisions')
    .values({
      fragment_id: old.id,
      edited_at: next.lastUpdated,
      editor_type: editor.type,
      editor_value: editor.value,
      old_name: old.name,
      old_config_json: old.config_json,
      old_visibility: old.visibility,
      old_revision: old.revision,
      old_last_updated: old.last_updated,
    })
    .execute();
  return true;
}

/** The edits of a fragment, the newest first. */
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

export async function deleteFragment(access: StoreAccess, id: string): Promise<void> {
  await access.deleteFrom('fragments').where('id', '=', id).execute();
}
