import type { APIKeyWithAuthorizations } from '../../gen/viam/app/v1/api_key_pb';
import { type Role, rolesFromWire } from './access';
import { toDate } from './fromWire';
import { type ApiKeyId, apiKeyId, type OrganizationId } from './ids';

/**
 * API key as shown in lists. Doesn't contain the key itself, which is shown only when it is created
 * or rotated.
 */
export interface ApiKeySummary {
  readonly id: ApiKeyId;
  /** Organization whose keys are listed. The key can also have roles in other organizations. */
  readonly organizationId: OrganizationId;
  readonly name: string;
  readonly createdOn: Date | undefined;
  /** Roles in this organization, or for the requested machine. */
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
