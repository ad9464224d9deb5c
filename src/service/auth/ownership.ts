import { failedPrecondition } from '../errors';
import { hasOwner } from '../store/authorizations';
import type { StoreAccess } from '../store/store';

/**
 * Keeps an organization from being left to nobody. Call it in the transaction that takes roles
 * away, after it has: a refusal undoes everything.
 * @throws FailedPrecondition when nobody owns the organization any more.
 */
export async function requireOwner(access: StoreAccess, organizationId: string): Promise<void> {
  if (!(await hasOwner(access, organizationId))) {
    throw failedPrecondition(
      'this would leave the organization without an owner: make another user or API key an owner first',
    );
  }
}
