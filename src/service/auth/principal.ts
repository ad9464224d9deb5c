import { createContextKey } from '@connectrpc/connect';
import type { AuthenticationType } from '../../gen/viam/app/v1/authorization_pb';
import type { FairCaller } from '../server/fairBudget';
import type { IdentityType } from '../store/schema';
import type { ResourcePath } from '../store/resourcePath';
import { type Grant } from './permissions';

/** Caller, resolved from the access token once per request. */
export interface Principal {
  /** The caller's authentication method, for histories and audit entries. */
  authenticationType: AuthenticationType;
  /** API key, or machine that signed in with its part's or its location's secret. */
  identityType: IdentityType | 'part' | 'location';
  identityId: string;
  /** Part that signed in with its own secret or its location's secret; absent for API keys. */
  partId?: string;
  grants: readonly Grant[];
}

/** Context key for a request's caller, for handlers. */
export const principalKey = createContextKey<Principal | undefined>(undefined, {
  description: 'the authenticated caller',
});

/**
 * Context key for the error, for example of the database, because of which the caller couldn't be
 * identified before the call.
 */
export const admissionErrorKey = createContextKey<Error | undefined>(undefined, {
  description: 'the error of the authentication',
});

/** Context key for the caller's address, for handlers; undefined for calls within the process. */
export const callerAddressKey = createContextKey<string | undefined>(undefined, {
  description: 'the address of the caller',
});

/** Context key for the resource path that the authorization table has checked, for handlers. */
export const resourcePathKey = createContextKey<ResourcePath | undefined>(undefined, {
  description: 'the resource the caller was authorized on',
});

/**
 * Returns the names under which a caller's share of memory and slots is counted: its address, its
 * organization, and its own ID. An owner can create many API keys and organizations, but doesn't
 * have as many addresses.
 */
export function toFairCaller(
  { identityId, grants: [grant] }: Principal,
  address: string | undefined,
): FairCaller {
  return [address ?? '', grant?.organizationId ?? '', identityId];
}

/**
 * Returns the ID under which a caller's calls are counted. Each machine counts by itself, even if it
 * signs in with the secret of its location.
 */
export function toRateKey({ partId, identityId }: Principal): string {
  return partId ?? identityId;
}

/** Returns the machines on which a caller has a direct role. */
export function grantedMachineIds(principal: Principal): string[] {
  return principal.grants
    .filter((grant) => grant.resourceType === 'robot')
    .map((grant) => grant.resourceId);
}
