import { randomBytes, randomInt, randomUUID } from 'node:crypto';

const LOCATION_ID_LENGTH = 10;
const LOCATION_ID_ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789';
const SECRET_BYTES = 32;

/** Returns a new random ID. All IDs are UUIDs, because clients require UUIDs for API keys. */
export function newId(): string {
  return randomUUID();
}

/**
 * Returns a new location ID. The ID is short, because it is a label in the host names of the
 * location's machines.
 */
export function newLocationId(): string {
  return Array.from(
    { length: LOCATION_ID_LENGTH },
    () => LOCATION_ID_ALPHABET[randomInt(LOCATION_ID_ALPHABET.length)],
  ).join('');
}

/**
 * Returns a new secret of 256 random bits. It contains only characters that are safe in URLs,
 * shells, and JSON.
 */
export function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}
