import { MAX_NESTING } from '../../core/fragments/resolveConfig';
import { invalid } from '../errors';
import { listNestedFragments, measureNesting, writeNestedFragments } from '../store/fragmentUses';
import type { StoreAccess } from '../store/store';

/**
 * Records which fragments a fragment's new config uses. Must run in the transaction that writes the
 * config, so that a rejection rolls back the write. The config can refer to nonexistent fragments,
 * because it might have been imported from another service.
 * @param childIds distinct IDs of the fragments in the new config.
 * @throws InvalidArgument if the fragment would contain itself, or if fragments would be nested too
 *   deeply, either in this fragment or in one that uses it.
 */
export async function nestFragments(
  access: StoreAccess,
  fragmentId: string,
  childIds: readonly string[],
): Promise<void> {
  const present = new Set(await listNestedFragments(access, fragmentId));
  if (childIds.length === present.size && childIds.every((id) => present.has(id))) return;
  await writeNestedFragments(access, fragmentId, childIds);
  const { levels, circular } = await measureNesting(access, fragmentId, MAX_NESTING);
  if (circular) {
    throw invalid('config.fragments: the fragment would contain itself');
  }
  if (levels > MAX_NESTING) {
    throw invalid(
      `config.fragments: fragments would be nested more than ${String(MAX_NESTING)} levels deep, including those that use this one`,
    );
  }
}
