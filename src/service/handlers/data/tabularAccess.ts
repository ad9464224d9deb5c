import { requirePermission } from '../../auth/authorizer';
import type { Principal } from '../../auth/principal';
import type { DataScope } from '../../store/data/dataScope';
import { hasSeries } from '../../store/data/readingsPages';
import { resolvePath } from '../../store/resourcePath';
import type { StoreAccess } from '../../store/store';
import { READ_DATA, readScope } from './dataAccess';

/**
 * Of what the caller may read data, provided that this part is in it. What a part captured stays
 * readable after the part is deleted, for anyone who may read all that was captured there.
 * @throws NotFound when there is no such part or the caller may not know of it, PermissionDenied when
 *   it may not read the part's data.
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
