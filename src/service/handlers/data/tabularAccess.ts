import { requirePermission } from '../../auth/authorizer';
import type { Principal } from '../../auth/principal';
import type { DataScope } from '../../store/data/dataScope';
import { hasSeries } from '../../store/data/readingsPages';
import { resolvePath } from '../../store/resourcePath';
import type { StoreAccess } from '../../store/store';
import { READ_DATA, readScope } from './dataAccess';

/**
 * Returns the scope in which the caller can read data, if it contains this part. The data of a
 * deleted part remains readable for callers who can read all data captured at the part's location.
 * @throws NotFound if the part doesn't exist or the caller can't see it, PermissionDenied if the
 *   caller can't read the part's data.
 */
export async function requireReadablePart(
  access: StoreAccess,
  principal: Principal,
  partId: string,
): Promise<DataScope> {
  const scope = await readScope(access, principal);
  const part = { type: 'part', id: partId } as const;
  const left = { scopes: [scope], columns: [{ column: 'part_id', anyOf: [partId] }] } as const;
  const isGone = (await resolvePath(access, part)) === undefined;
  if (!isGone || !(await hasSeries(access, left))) {
    await requirePermission(access, principal, READ_DATA, part);
  }
  return scope;
}
