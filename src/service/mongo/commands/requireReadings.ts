import { COLLECTION, DATABASE } from '../databaseNames';
import { MongoError } from '../mongoError';
import type { WireRequest } from '../wireRequest';

/** @throws MongoError if a command targets anything other than the readings collection. */
export function requireReadings({ name, database, fields }: WireRequest, field = name): void {
  if (database !== DATABASE || fields[field] !== COLLECTION) {
    throw new MongoError(
      'Unauthorized',
      `not authorized to run ${name} there: this user can only read the collection ` +
        `${COLLECTION} of the database ${DATABASE}`,
    );
  }
}
