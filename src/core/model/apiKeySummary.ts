import type { APIKeyWithAuthorizations } from '../../gen/viam/app/v1/api_key_pb';
import { type Role, rolesFromWire } from './access';
import { dateOf } from './fromWire';
import { type ApiKeyId, apiKeyId, type OrganizationId } from './ids';

/** An API key as lists show it: without the key, which is only told when it is made or rotated. */
export interface ApiKeySummary {
  readonly id: ApiKeyId;
  /** The organization it was listed for; it may hold roles in others too. */
  readonly organizationId: OrganizationId;
  readonly name: string;
  readonly createdOn: Date | undefined;
  /** Its roles in that organization, or on the machine that was asked about. */
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
    createdOn: dateOf(apiKey?.createdOn),
    roles: rolesFromWire(authorizations),
  };
}
