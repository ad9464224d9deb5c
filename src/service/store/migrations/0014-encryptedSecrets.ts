/**
 * Renames the column for secrets, which are now encrypted with a key that isn't stored in the
 * database. Each start encrypts secrets that aren't encrypted yet (`secrets/unlockSecrets.ts`).
 * Older versions of the program must not open the store, because they would return encrypted
 * secrets without decrypting them.
 */
export function encryptedSecretColumns(): string[] {
  return [`alter table secrets rename column secret to encrypted_secret`];
}
