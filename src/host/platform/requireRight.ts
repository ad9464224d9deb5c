import { displayName } from '../../core/model/toDisplayText';
import { hasRight, type Right, roleNeededFor } from '../../core/model/permissions';
import { type ResourceTarget, targetId } from '../../core/model/resourceTarget';
import type { FleetStores } from '../../core/stores/fleetStores';
import { ownersAbove } from '../../core/stores/ownersAbove';
import { PermissionDeniedError } from './permissionDeniedError';
import { formatRequiredRole, describeMissingRight, formatOwnersToContact } from './permissionText';

/**
 * Checks, before any prompt, that the key has a right on a command's target.
 * @throws PermissionDeniedError with the missing right and the users to contact.
 */
export async function requireRight(
  stores: FleetStores,
  target: ResourceTarget,
  right: Right,
): Promise<void> {
  const granted = await stores.access.mayWith(target);
  if (hasRight(target.kind, granted, right)) return;
  const sentences = [
    describeMissingRight(right, displayName({ name: target.name, id: targetId(target) })),
    formatRequiredRole(roleNeededFor(target, right), await getRoleScopeName(stores, target)),
    formatOwnersToContact(await ownersAbove(stores, target)),
  ];
  throw new PermissionDeniedError(sentences.join(' '), target);
}

/** Returns the name of the resource that a role on a target applies to. */
export async function getRoleScopeName(
  stores: FleetStores,
  target: ResourceTarget,
): Promise<string> {
  switch (target.kind) {
    case 'part':
      return target.machineName;
    case 'fragment':
    case 'dataset':
    case 'registryItem':
      return (await stores.organizations.get(target.organizationId)).name;
    default:
      return displayName({ name: target.name, id: targetId(target) });
  }
}
