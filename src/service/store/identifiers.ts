import { randomBytes, randomInt, randomUUID } from 'node:crypto';

const LOCATION_ID_LENGTH = 10;
const LOCATION_ID_ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789';
const SECRET_BYTES = 32;

/** A new random identifier; clients insist on UUIDs for API keys, and the rest follows them. */
export function newId(): string {
  return randomUUID();
}

/** A new location identifier: short, because it is a label of its machines' host names. */
export function newLocationId(): string {
  return Array.from(
    { length: LOCATION_ID_LENGTH },
    () => LOCATION_ID_ALPHABET[randomInt(LOCATION_ID_ALPHABET.length)],
  ).join('');
}

/** A new secret of 256 random bits, in letters that survive URLs, shells and JSON. */
export function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}
