import { Code, ConnectError } from '@connectrpc/connect';
import type { Filter } from '../../../gen/viam/app/data/v1/data_pb';
import type { RequestValidator } from '../../../core/validation/requestValidator';
import type { PageUrl } from '../../accounts/signIn';
import { requireMember } from '../../auth/authorizer';
import { type Principal } from '../../auth/principal';
import { grantsPermissionByShare } from '../../auth/permissions';
import { grantsPermission } from '../../auth/permissions';
import { type Permission } from '../../auth/permissions';
import type { BlobCollector } from '../../blobs/blobCollector';
import type { BlobStore } from '../../blobs/blobStore';
import type { DamageReports } from '../../blobs/damageReports';
import { notFound, permissionDenied } from '../../errors';
import type { ReadingsLake } from '../../lake/readingsLake';
import { toBinaryFilter } from '../../messages/dataMessages';
import { countBinaryData, findBinaryData } from '../../store/data/binaryData';
import type { BinarySelection } from '../../store/data/binaryFilter';
import type { BinaryDataRow } from '../../store/data/dataSchema';
import { type DataScope, expandLocations } from '../../store/data/dataScope';
import type { StoreAccess } from '../../store/store';
import type { HandlerDependencies } from '../handlerSupport';

/** Dependencies of the handlers for captured data. */
export interface DataDependencies extends HandlerDependencies {
  blobs: BlobStore;
  damageReports: DamageReports;
  collector: BlobCollector;
  lake: ReadingsLake;
  pageUrl: PageUrl;
  validator: RequestValidator;
}

/** Permission to read captured data. */
export const READ_DATA = 'read_robot_data_management';
const WRITE = 'write_robot_data_management';

/**
 * Returns the scope in which the caller has a permission, either through roles or through locations
 * that are shared with the caller's organization.
 */
async function getDataScope(
  access: StoreAccess,
  { grants }: Principal,
  permission: Permission,
): Promise<DataScope> {
  const matchingGrants = grants.filter((grant) => grantsPermission(grant, permission));
  const on = (type: string) => matchingGrants.filter(({ resourceType }) => resourceType === type);
  return {
    organizationIds: on('organization').map(({ resourceId }) => resourceId),
    locationIds: await expandLocations(
      access,
      on('location').map(({ resourceId }) => resourceId),
      grants
        .filter((grant) => grantsPermissionByShare(grant, permission))
        .map(({ resourceId }) => resourceId),
    ),
    machines: on('robot').map(({ organizationId, resourceId }) => ({
      organizationId,
      machineId: resourceId,
    })),
  };
}

/** Returns the scope in which the caller can read data. */
export async function readScope(access: StoreAccess, principal: Principal): Promise<DataScope> {
  return getDataScope(access, principal, READ_DATA);
}

/** Returns a selection of the filter's items that the caller can read. */
export async function readableSelection(
  access: StoreAccess,
  principal: Principal,
  filter: Filter | undefined,
  includeInternal = true,
): Promise<BinarySelection> {
  return {
    scopes: [await readScope(access, principal)],
    filter: toBinaryFilter(filter),
    includeInternal,
  };
}

/**
 * Returns a selection of the filter's items, and requires that the caller can change all of them.
 * @throws NotFound if the filter specifies an organization in which the caller has no role,
 *   PermissionDenied if it selects items that the caller can read but not change.
 */
export async function writableSelection(
  access: StoreAccess,
  principal: Principal,
  filter: Filter | undefined,
  includeInternal: boolean,
): Promise<BinarySelection> {
  filter?.organizationIds.forEach((id) => {
    requireMember(principal, id);
  });
  const readable = await readableSelection(access, principal, filter, includeInternal);
  const writable = {
    ...readable,
    scopes: [...readable.scopes, await getDataScope(access, principal, WRITE)],
  };
  const [all, own] = [
    await countBinaryData(access, readable),
    await countBinaryData(access, writable),
  ];
  if (all.count !== own.count) {
    throw new ConnectError(
      `the filter selects data of machines for which these credentials don't have the permission ${WRITE}: ` +
        'narrow it to your own data, or ask an owner for a role that has the permission',
      Code.PermissionDenied,
    );
  }
  return writable;
}

/** Returns the IDs that a request specifies, in either the newer or the older format. */
export function getBinaryDataIds(request: {
  binaryDataIds: readonly string[];
  binaryIds: readonly { fileId: string }[];
}): string[] {
  return [...new Set([...request.binaryDataIds, ...request.binaryIds.map(({ fileId }) => fileId)])];
}

/**
 * Returns the items with the given IDs, in the same order.
 * @throws NotFound if an item doesn't exist or the caller can't read it.
 */
export async function readableItems(
  access: StoreAccess,
  principal: Principal,
  ids: readonly string[],
): Promise<BinaryDataRow[]> {
  const scope = await readScope(access, principal);
  const rows = await findBinaryData(access, ids, [scope]);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => {
    const row = byId.get(id);
    if (row === undefined) throw notFound('binary data', id);
    return row;
  });
}

/**
 * Returns the items with the given IDs so that the caller can change them.
 * @throws the errors of `readableItems`; PermissionDenied if the caller can read an item but not
 *   change it.
 */
export async function writableItems(
  access: StoreAccess,
  principal: Principal,
  ids: readonly string[],
): Promise<BinaryDataRow[]> {
  const rows = await readableItems(access, principal, ids);
  const scope = await getDataScope(access, principal, WRITE);
  const writable = new Set((await findBinaryData(access, ids, [scope])).map(({ id }) => id));
  const denied = ids.find((id) => !writable.has(id));
  if (denied !== undefined) throw permissionDenied(WRITE, 'binary data', denied);
  return rows;
}
