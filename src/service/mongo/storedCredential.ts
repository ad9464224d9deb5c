import type { DatabaseUserRow } from '../store/data/databaseUserSchema';
import type { Micros } from '../store/micros';
import type { ScramCredential } from './scramCredential';

const TEXT = 'base64';

/** Returns the row that stores the credential of an organization's database user. */
export function databaseUserRow(
  organizationId: string,
  { salt, iterations, storedKey, serverKey }: ScramCredential,
  configuredAt: Micros,
): DatabaseUserRow {
  return {
    organization_id: organizationId,
    salt: salt.toString(TEXT),
    iterations,
    stored_key: storedKey.toString(TEXT),
    server_key: serverKey.toString(TEXT),
    configured_at: configuredAt,
  };
}

/** Returns the credential stored in a row. */
export function storedCredential(row: DatabaseUserRow): ScramCredential {
  return {
    salt: Buffer.from(row.salt, TEXT),
    iterations: row.iterations,
    storedKey: Buffer.from(row.stored_key, TEXT),
    serverKey: Buffer.from(row.server_key, TEXT),
  };
}
