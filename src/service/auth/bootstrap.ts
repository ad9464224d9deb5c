import { insertAuthorization } from '../store/authorizations';
import { insertOrganization, listOrganizations } from '../store/organizations';
import { findApiKey, putApiKey } from '../store/credentials';
import { newId, newSecret } from '../store/identifiers';
import type { Micros } from '../store/micros';
import { findSetting, putSetting } from '../store/settings';
import type { Store, StoreAccess } from '../store/store';
import { insertMember } from '../store/users';
import { hashSecret, sameText } from './accessTokens';

/** An owner's API key for the organization that the service made at its first boot. */
export interface OwnerCredentials {
  apiKeyId: string;
  apiKey: string;
  organizationId: string;
}

const FIRST_ORGANIZATION_NAME = 'My Fleet';
const FIRST_USER_EMAIL = 'owner@localhost';
const FIRST_KEY_NAME = 'Local owner';

/**
 * Answers an owner key that works. On the first boot it makes the first organization with an
 * owner; on later ones it keeps the credentials that the caller still has, and replaces the key
 * when they were lost.
 * @param kept credentials from an earlier boot, if the caller has any.
 */
export async function bootstrapOwner(
  store: Store,
  now: Micros,
  kept?: OwnerCredentials,
): Promise<OwnerCredentials> {
  if (kept !== undefined && (await isValid(store, kept))) {
    return kept;
  }
  return store.transaction().execute(async (transaction) => {
    const organizationId =
      (await existingOrganization(transaction)) ?? (await firstOrganization(transaction, now));
    return issueOwnerKey(transaction, organizationId, now);
  });
}

async function isValid(access: StoreAccess, kept: OwnerCredentials): Promise<boolean> {
  const credential = await findApiKey(access, kept.apiKeyId);
  return (
    credential !== undefined &&
    sameText(credential.keyHash, hashSecret(kept.apiKey)) &&
    credential.authorizations.some((row) => row.organization_id === kept.organizationId)
  );
}

async function existingOrganization(access: StoreAccess): Promise<string | undefined> {
  const id = await findSetting(access, 'first_organization');
  return id === undefined ? undefined : (await listOrganizations(access, [id]))[0]?.id;
}

async function firstOrganization(access: StoreAccess, now: Micros): Promise<string> {
  const { id } = await insertOrganization(access, {
    id: newId(),
    name: FIRST_ORGANIZATION_NAME,
    createdAt: now,
  });
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
  await putSetting(access, 'first_organization', id);
  return id;
}

async function issueOwnerKey(
  access: StoreAccess,
  organizationId: string,
  now: Micros,
): Promise<OwnerCredentials> {
  const apiKeyId = (await findSetting(access, 'first_api_key')) ?? newId();
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
  await putSetting(access, 'first_api_key', apiKeyId);
  return { apiKeyId, apiKey, organizationId };
}
