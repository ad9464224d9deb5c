import type { ServiceImpl } from '@connectrpc/connect';
import type { DataService } from '../../../gen/viam/app/data/v1/data_pb';
import { failedPrecondition, invalid } from '../../errors';
import type { DatabaseAddress, DatabaseEndpoint } from '../../mongo/databaseEndpoint';
import { ADMIN_DATABASE, databaseUserName } from '../../mongo/databaseNames';
import { preparePassword } from '../../mongo/preparePassword';
import { scramCredential } from '../../mongo/scramCredential';
import { databaseUserRow } from '../../mongo/storedCredential';
import { findDatabaseUser, putDatabaseUser } from '../../store/data/databaseUsers';
import { type HandlerDependencies, requireText } from '../handlerSupport';

type DatabaseOperations = Pick<
  ServiceImpl<typeof DataService>,
  'getDatabaseConnection' | 'configureDatabaseUser'
>;

interface DatabaseDependencies extends HandlerDependencies {
  databaseEndpoint: DatabaseEndpoint;
}

const SHORTEST_PASSWORD = 8;
/** Placeholder that users replace with their password, as in the URIs of the public cloud. */
const PASSWORD_PLACEHOLDER = 'YOUR-PASSWORD-HERE';

/**
 * Handlers for the database of an organization, which MongoDB clients can read (spec part 1,
 * database access).
 */
export function databaseAccessHandlers({
  store,
  now,
  databaseEndpoint,
}: DatabaseDependencies): DatabaseOperations {
  return {
    async getDatabaseConnection({ organizationId }) {
      const { address } = databaseEndpoint;
      if (address === undefined) {
        throw failedPrecondition(
          "this service doesn't offer a database connection: its operator can enable it with " +
            '--mongo-port PORT',
        );
      }
      const user = await findDatabaseUser(store, organizationId);
      return {
        hostname: address.host,
        mongodbUri: connectionUri(organizationId, address),
        hasDatabaseUser: user !== undefined,
      };
    },

    async configureDatabaseUser({ organizationId, password }) {
      const credential = await scramCredential(requirePassword(password));
      await putDatabaseUser(store, databaseUserRow(organizationId, credential, now()));
      await databaseEndpoint.endUser(organizationId);
      return {};
    },
  };
}

function connectionUri(organizationId: string, { host, isEncrypted }: DatabaseAddress): string {
  const credentials = `${databaseUserName(organizationId)}:${PASSWORD_PLACEHOLDER}`;
  return `mongodb://${credentials}@${host}/?ssl=${String(isEncrypted)}&authSource=${ADMIN_DATABASE}`;
}

/**
 * Converts a password to the form that clients authenticate against.
 * @throws InvalidArgument without repeating the password.
 */
function requirePassword(password: string): string {
  const prepared = preparePassword(requireText(password, 'password'));
  if (prepared === undefined) {
    throw invalid(
      "password: contains characters that clients can't send; use letters, digits, and punctuation",
    );
  }
  if (prepared.length < SHORTEST_PASSWORD) {
    throw invalid(`password: must have at least ${String(SHORTEST_PASSWORD)} characters`);
  }
  return prepared;
}
