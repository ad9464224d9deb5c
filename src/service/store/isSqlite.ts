import { SqliteAdapter } from 'kysely';
import type { StoreAccess } from './store';

/** Whether the store is the embedded one; otherwise it is PostgreSQL. */
export function isSqlite(access: StoreAccess): boolean {
  return access.getExecutor().adapter instanceof SqliteAdapter;
}
