import type { APIKeyWithAuthorizations } from '../../gen/viam/app/v1/api_key_pb';
import { type Role, rolesFromWire } from './access';
import { toDate } from './fromWire';
import { type ApiKeyId, apiKeyId, type OrganizationId } from './ids';

/**
 * API key as shown in lists: without the key, which is shown only when it is created or rotated.
 */
export interface ApiKeySummary {
  readonly id: ApiKeyId;
  /** Organization of the listing; the key can also have roles in others. */
  readonly organizationId: OrganizationId;
  readonly name: string;
  readonly createdOn: Date | undefined;
  /** Roles in that organization, or on the requested machine. */
  readonly roles: readonly Role[];
}

export function apiKeyFromWire(
  { apiKey, authorizations }: APIKeyWithAuthorizations,
  organization: OrganizationId,
): ApiKeySummary {
  return {
    id: apiKeyId(apiKey?.id ?? ''),
    organizationId: organization,
    name: apiKey?.name ?? '',
    createdOn: toDate(apiKey?.createdOn),
    roles: rolesFromWire(authorizations),
  };
}
