import type { Kysely, Transaction } from 'kysely';
import type { FleetSchema } from './schema';

/** The system of record: one set of tables with one interface for both databases. */
export type Store = Kysely<FleetSchema>;

/** The store, or a transaction on it: the parameter of query functions. */
export type StoreAccess = Store | Transaction<FleetSchema>;
