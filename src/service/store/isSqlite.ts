import { SqliteAdapter } from 'kysely';
import type { StoreAccess } from './store';

/** Returns true for the embedded store. The only other store is PostgreSQL. */
export function isSqlite(access: StoreAccess): boolean {
  return access.getExecutor().adapter instanceof SqliteAdapter;
}
