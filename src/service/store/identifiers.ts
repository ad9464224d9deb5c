import { randomBytes, randomInt, randomUUID } from 'node:crypto';

const LOCATION_ID_LENGTH = 10;
const LOCATION_ID_ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789';
const SECRET_BYTES = 32;

/** Returns a new random ID. All IDs are UUIDs, because clients require UUIDs for API keys. */
export function newId(): string {
  return randomUUID();
}

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** Returns true if a string looks like an ID that `newId` returns. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
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

/**
 * Number of IDs per statement. Both databases limit the number of parameters in a statement, SQLite
 * to 32,766. With this batch size, a statement can use each ID three times.
 */
const BATCH_SIZE = 10_000;

/**
 * Runs a query with a list of IDs in batches that are as large as the limits allow.
 * @returns the rows from all batches; empty if there are no IDs.
 */
export async function queryByIds<Row, Id extends string | number = string>(
  ids: readonly Id[],
  query: (batch: readonly Id[]) => Promise<readonly Row[]>,
): Promise<Row[]> {
  const unique = [...new Set(ids)];
  const rows: Row[] = [];
  await inBatches(unique, async (batch) => {
    // Adds rows individually, because a function call can't have as many arguments as a query can
    // have rows.
    for (const row of await query(batch)) {
      rows.push(row);
    }
  });
  return rows;
}

/**
 * Runs a statement for batches of rows with up to three columns. The batches are as large as the
 * limits allow and never empty.
 */
export async function inBatches<Row>(
  rows: readonly Row[],
  statement: (batch: readonly Row[]) => Promise<unknown>,
): Promise<void> {
  for (let start = 0; start < rows.length; start += BATCH_SIZE) {
    await statement(rows.slice(start, start + BATCH_SIZE));
  }
}
