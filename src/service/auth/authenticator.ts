import { Code, ConnectError } from '@connectrpc/connect';
import { AuthenticationType } from '../../gen/viam/app/v1/authorization_pb';
import { invalid } from '../errors';
import { findApiKey, findPartHierarchy, type PartHierarchy } from '../store/credentials';
import { clearRestart } from '../store/restarts';
import type { AuthorizationRow } from '../store/schema';
import type { MachineSecret, MachineSecrets } from '../store/secrets';
import type { Store } from '../store/store';
import {
  type AccessTokens,
  CREDENTIAL_TYPES,
  type CredentialType,
  hashSecret,
  isEqualConstantTime,
  type TokenSubject,
} from './accessTokens';
import type { Principal } from './principal';
import type { Grant } from './permissions';
import type { SignInGuard } from './signInGuard';

const BEARER = /^bearer\s+(\S+)$/i;

export interface PresentedCredential {
  readonly entity: string;
  readonly type: string;
  readonly payload: string;
}

export interface SignInCaller {
  /** The caller's address; undefined for calls within the process. */
  readonly address: string | undefined;
  /** Aborts when the caller disconnects. */
  readonly signal: AbortSignal;
}

/** Exchanges credentials for tokens and tokens for principals (wire: AuthService). */
export class Authenticator {
  private readonly store: Store;
  private readonly machineSecrets: MachineSecrets;
  private readonly tokens: AccessTokens;
  private readonly guard: SignInGuard;

  constructor(
    store: Store,
    machineSecrets: MachineSecrets,
    tokens: AccessTokens,
    guard: SignInGuard,
  ) {
    this.store = store;
    this.machineSecrets = machineSecrets;
    this.tokens = tokens;
    this.guard = guard;
  }

  /**
   * Checks a credential and returns a token for it.
   * @param entity ID of the API key or part that signs in.
   * @throws InvalidArgument if the credentials are missing or of an unknown type, PermissionDenied
   *   if they are incorrect, ResourceExhausted after too many failed attempts.
   */
  async authenticate(
    { entity, type, payload }: PresentedCredential,
    { address, signal }: SignInCaller,
  ): Promise<string> {
    const known = CREDENTIAL_TYPES.find((candidate) => candidate === type);
    if (known === undefined) {
      throw invalid(
        `credentials of type "${type}" are unknown; use one of ${CREDENTIAL_TYPES.join(', ')}`,
      );
    }
    if (entity === '' || payload === '') {
      throw invalid('entity and credentials.payload must not be empty');
    }
    const token = await this.guard.attempt(entity, address, signal, () =>
      known === 'api-key'
        ? this.authenticateKey(entity, payload)
        : this.authenticateMachine(entity, known, payload),
    );
    if (token === undefined) {
      throw new ConnectError(`wrong ${type} or unknown id "${entity}"`, Code.PermissionDenied);
    }
    return token;
  }

  /**
   * Returns the caller that an `authorization` header identifies.
   * @throws Unauthenticated if the header is missing, or its credential has since been rotated or
   *   deleted.
   */
  async principal(authorization: string | null | undefined): Promise<Principal> {
    const token = BEARER.exec(authorization ?? '')?.[1];
    const subject = token === undefined ? undefined : this.tokens.read(token);
    const principal =
      token === undefined || subject === undefined ? undefined : await this.resolve(token, subject);
    if (principal === undefined) {
      throw new ConnectError(
        token === undefined
          ? 'this call needs an access token: authenticate first, then send the token as a bearer token'
          : 'invalid or expired access token: authenticate again',
        Code.Unauthenticated,
      );
    }
    return principal;
  }

  private async authenticateKey(id: string, key: string): Promise<string | undefined> {
    const credential = await findApiKey(this.store, id);
    return credential !== undefined && isEqualConstantTime(credential.keyHash, hashSecret(key))
      ? this.tokens.issue({ type: 'api-key', credentialId: id, partId: '' }, credential.keyHash)
      : undefined;
  }

  private async authenticateMachine(
    partId: string,
    type: Exclude<CredentialType, 'api-key'>,
    payload: string,
  ): Promise<string | undefined> {
    const hierarchy = await findPartHierarchy(this.store, partId);
    const secret = hierarchy && (await this.secretsOf(type, hierarchy)).find(matches(payload));
    if (secret === undefined) return undefined;
    // A machine signs in when it starts, so a requested restart is now complete.
    await clearRestart(this.store, partId);
    return this.tokens.issue({ type, credentialId: secret.id, partId }, hashSecret(secret.secret));
  }

  private async resolve(token: string, subject: TokenSubject): Promise<Principal | undefined> {
    if (subject.type === 'api-key') {
      const credential = await findApiKey(this.store, subject.credentialId);
      return credential !== undefined && this.tokens.verify(token, credential.keyHash)
        ? keyPrincipal(subject.credentialId, credential.authorizations)
        : undefined;
    }
    const hierarchy = await findPartHierarchy(this.store, subject.partId);
    const secret =
      hierarchy &&
      (await this.secretsOf(subject.type, hierarchy)).find(({ id }) => id === subject.credentialId);
    return hierarchy && secret && this.tokens.verify(token, hashSecret(secret.secret))
      ? machinePrincipal(subject.type, hierarchy)
      : undefined;
  }

  private async secretsOf(
    type: Exclude<CredentialType, 'api-key'>,
    hierarchy: PartHierarchy,
  ): Promise<MachineSecret[]> {
    const [owner, ownerId] =
      type === 'robot-secret'
        ? (['part', hierarchy.partId] as const)
        : (['location', hierarchy.locationId] as const);
    return (await this.machineSecrets.listByOwner(this.store, owner, [ownerId])).get(ownerId) ?? [];
  }
}

function matches(payload: string): (secret: MachineSecret) => boolean {
  return ({ secret }) => isEqualConstantTime(secret, payload);
}

function keyPrincipal(id: string, authorizations: AuthorizationRow[]): Principal {
  return {
    authenticationType: AuthenticationType.API_KEY,
    identityType: 'api-key',
    identityId: id,
    grants: authorizations.map((row): Grant => ({
      role: row.role,
      resourceType: row.resource_type,
      resourceId: row.resource_id,
      organizationId: row.organization_id,
    })),
  };
}

function machinePrincipal(type: CredentialType, hierarchy: PartHierarchy): Principal {
  const bySecretOfPart = type === 'robot-secret';
  return {
    authenticationType: bySecretOfPart
      ? AuthenticationType.ROBOT_PART_SECRET
      : AuthenticationType.LOCATION_SECRET,
    identityType: bySecretOfPart ? 'part' : 'location',
    identityId: bySecretOfPart ? hierarchy.partId : hierarchy.locationId,
    partId: hierarchy.partId,
    grants: [
      {
        role: 'machine',
        resourceType: 'robot',
        resourceId: hierarchy.machineId,
        organizationId: hierarchy.organizationId,
      },
    ],
  };
}
