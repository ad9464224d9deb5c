import { createContextKey } from '@connectrpc/connect';
import type { AuthenticationType } from '../../gen/viam/app/v1/authorization_pb';
import type { IdentityType } from '../store/schema';
import type { ResourcePath } from '../store/resourcePath';
import type { Grant } from './permissions';

/** Who calls: resolved from the access token once per request. */
export interface Principal {
  /** How the caller proved itself, as histories and audit entries name it. */
  authenticationType: AuthenticationType;
  /** An API key, or a machine by its part's or its location's secret. */
  identityType: IdentityType | 'part' | 'location';
  identityId: string;
  /** The part that signed in by its own or its location's secret; absent for API keys. */
  partId?: string;
  grants: readonly Grant[];
}

/** Where handlers find the caller of the request they serve. */
export const principalKey = createContextKey<Principal | undefined>(undefined, {
  description: 'the authenticated caller',
});

/** Where handlers find the address that a call came from; undefined for calls within the process. */
export const callerAddressKey = createContextKey<string | undefined>(undefined, {
  description: 'the address of the caller',
});

/** Where handlers find the path of the resource that the authorization table was asked about. */
export const resourcePathKey = createContextKey<ResourcePath | undefined>(undefined, {
  description: 'the resource the caller was authorized on',
});

/** The machines on which a caller holds a role of their own. */
export function grantedMachineIds(principal: Principal): string[] {
  return principal.grants
    .filter((grant) => grant.resourceType === 'robot')
    .map((grant) => grant.resourceId);
}
