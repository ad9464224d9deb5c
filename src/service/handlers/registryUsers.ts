import { Visibility } from '../../gen/viam/app/v1/registry_pb';
import { getRegistryItemId } from '../messages/registryMessages';
import type { RegistryItemWithOwner } from '../store/registry';
import type { RegistryUser } from '../store/registryUses';

const NAMED_AT_MOST = 5;

/**
 * Returns a sentence that explains why an item, or the given `subject`, can't be deleted; undefined
 * if it can be deleted. The sentence lists users in the item's organization by name, and only the
 * number of users in other organizations. Other organizations can't use a private item, so their
 * references don't prevent its deletion.
 */
export function describeDeletionBlockers(
  item: RegistryItemWithOwner,
  users: readonly RegistryUser[],
  subject = `registry item "${getRegistryItemId(item)}"`,
): string | undefined {
  const own = users.filter((user) => user.own);
  const others =
    (item.visibility as Visibility) === Visibility.PRIVATE ? 0 : users.length - own.length;
  if (own.length + others === 0) {
    return undefined;
  }
  const named = own.slice(0, NAMED_AT_MOST).map(({ kind, name }) => `${kind} "${name}"`);
  const unnamed = own.length - named.length;
  const parts = [
    ...named,
    ...(unnamed > 0 ? [`${String(unnamed)} more of this organization`] : []),
    ...(others > 0 ? [`${String(others)} of other organizations`] : []),
  ];
  return `${subject} is used by ${parts.join(', ')}: remove it from their configs first`;
}
