import type { Kysely, Transaction } from 'kysely';
import type { FleetSchema } from './schema';

/** System of record. Both databases have the same tables and the same interface. */
export type Store = Kysely<FleetSchema>;

/** Store, or a transaction on it. Query functions accept either as their first parameter. */
export type StoreAccess = Store | Transaction<FleetSchema>;
