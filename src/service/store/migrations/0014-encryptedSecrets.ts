/**
 * Renames the column of secrets, which are now encrypted with a key that isn't in the database:
 * each start encrypts those that aren't (`secrets/unlockSecrets.ts`). Older programs, which would
 * return encrypted secrets as they are, must not open the store.
 */
export function encryptedSecretColumns(): string[] {
  return [`alter table secrets rename column secret to encrypted_secret`];
}
