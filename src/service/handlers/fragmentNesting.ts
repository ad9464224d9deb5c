import { MAX_NESTING } from '../../core/fragments/resolveConfig';
import { invalid } from '../errors';
import { listNestedFragments, nestingOf, writeNestedFragments } from '../store/fragmentUses';
import type { StoreAccess } from '../store/store';

/**
 * Notes which fragments a fragment's new config uses. Run it in the transaction that writes the
 * config, which a refusal undoes. Fragments that do not exist here may be named: a config can be
 * older than the service it was brought to.
 * @param childIds the fragments that the new config names, each once.
 * @throws InvalidArgument when the fragment would contain itself, or when fragments would nest too
 *   deep, here or in a fragment that uses this one.
 */
export async function nestFragments(
  access: StoreAccess,
  fragmentId: string,
  childIds: readonly string[],
): Promise<void> {
  const present = new Set(await listNestedFragments(access, fragmentId));
  if (childIds.length === present.size && childIds.every((id) => present.has(id))) return;
  await writeNestedFragments(access, fragmentId, childIds);
  const { levels, circular } = await nestingOf(access, fragmentId, MAX_NESTING);
  if (circular) {
    throw invalid('config.fragments: the fragment would contain itself');
  }
  if (levels > MAX_NESTING) {
    throw invalid(
      `config.fragments: fragments would be nested more than ${String(MAX_NESTING)} levels deep, including those that use this one`,
    );
  }
}
