/**
 * Secrets are encrypted with a key that is not in the database: each start encrypts those that are not
 * (`secrets/unlockSecrets.ts`). Programs that would hand them out as they are must not open the store.
 */
export function encryptedSecretColumns(): string[] {
  return [`alter table secrets rename column secret to encrypted_secret`];
}
