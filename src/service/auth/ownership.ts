import { failedPrecondition } from '../errors';
import { hasOwner } from '../store/authorizations';
import type { StoreAccess } from '../store/store';

/**
 * Checks that an organization still has an owner. Must be called in the transaction that removes
 * roles, after the removal, so that an error rolls back the removal.
 * @throws FailedPrecondition if no owner remains.
 */
export async function requireOwner(access: StoreAccess, organizationId: string): Promise<void> {
  if (!(await hasOwner(access, organizationId))) {
    throw failedPrecondition(
      'this would leave the organization without an owner: make another user or API key an owner first',
    );
  }
}
