import type { Kysely, Transaction } from 'kysely';
import type { FleetSchema } from './schema';

/** The system of record: one set of tables behind one interface, whichever database keeps them. */
export type Store = Kysely<FleetSchema>;

/** The store, or a transaction on it: what a query function needs to know. */
export type StoreAccess = Store | Transaction<FleetSchema>;
