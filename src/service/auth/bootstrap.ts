import { insertAuthorization } from '../store/authorizations';
import { findOrganization, insertOrganization } from '../store/organizations';
import { findApiKey, putApiKey } from '../store/credentials';
import { newId, newSecret } from '../store/identifiers';
import type { Micros } from '../store/micros';
import { settingOrNew } from '../store/settings';
import type { Store, StoreAccess } from '../store/store';
import { insertMember } from '../store/users';
import { hashSecret, isEqualConstantTime } from './accessTokens';

/** Owner's API key for the organization that the service created at its first boot. */
export interface OwnerCredentials {
  apiKeyId: string;
  apiKey: string;
  organizationId: string;
}

const FIRST_ORGANIZATION_NAME = 'My Fleet';
/** Email address of the user who owns the first organization. */
export const FIRST_USER_EMAIL = 'owner@localhost';
const FIRST_KEY_NAME = 'Local owner';

export interface BootstrapOptions {
  /** Credentials from an earlier boot, if available. */
  saved?: OwnerCredentials | undefined;
  /** True if other processes, which have their own keys, use the same store. */
  isShared: boolean;
}

/**
 * Returns a valid owner key. The first boot creates the first organization and its owner; later
 * boots preserve existing credentials. If the credentials were lost, creates a new key. The new key
 * replaces the lost one unless another process might be using the lost key.
 */
export async function bootstrapOwner(
  store: Store,
  now: Micros,
  { saved, isShared }: BootstrapOptions,
): Promise<OwnerCredentials> {
  if (saved !== undefined && (await isValid(store, saved))) return saved;
  return store.transaction().execute(async (transaction) => {
    // If first boots run concurrently, one of them creates the organization and the others wait
    // here.
    const organizationId = await settingOrNew(transaction, 'first_organization', newId);
    if ((await findOrganization(transaction, organizationId)) === undefined) {
      await makeFirstOrganization(transaction, organizationId, now);
    }
    const keyId = isShared ? newId() : await settingOrNew(transaction, 'first_api_key', newId);
    return issueOwnerKey(transaction, organizationId, keyId, now);
  });
}

async function isValid(access: StoreAccess, saved: OwnerCredentials): Promise<boolean> {
  const credential = await findApiKey(access, saved.apiKeyId);
  return (
    credential !== undefined &&
    isEqualConstantTime(credential.keyHash, hashSecret(saved.apiKey)) &&
    credential.authorizations.some(
      (row) => row.role === 'owner' && row.resource_id === saved.organizationId,
    )
  );
}

async function makeFirstOrganization(access: StoreAccess, id: string, now: Micros): Promise<void> {
  await insertOrganization(access, { id, name: FIRST_ORGANIZATION_NAME, createdAt: now });
  const userId = await insertMember(access, {
    organizationId: id,
    email: FIRST_USER_EMAIL,
    addedAt: now,
  });
  await insertAuthorization(access, {
    organization_id: id,
    identity_type: 'user',
    identity_id: userId,
    role: 'owner',
    resource_type: 'organization',
    resource_id: id,
  });
}

async function issueOwnerKey(
  access: StoreAccess,
  organizationId: string,
  apiKeyId: string,
  now: Micros,
): Promise<OwnerCredentials> {
  const apiKey = newSecret();
  await putApiKey(access, {
    id: apiKeyId,
    key_hash: hashSecret(apiKey),
    name: FIRST_KEY_NAME,
    created_at: now,
  });
  await insertAuthorization(access, {
    organization_id: organizationId,
    identity_type: 'api-key',
    identity_id: apiKeyId,
    role: 'owner',
    resource_type: 'organization',
    resource_id: organizationId,
  });
  return { apiKeyId, apiKey, organizationId };
}
