import type { ServiceImpl } from '@connectrpc/connect';
import type { DataService } from '../../../gen/viam/app/data/v1/data_pb';
import { failedPrecondition, invalid } from '../../errors';
import type { DatabaseAddress, DatabaseEndpoint } from '../../mongo/databaseEndpoint';
import { ADMIN_DATABASE, databaseUserName } from '../../mongo/readingsDatabase';
import { databaseUserRow, scramCredential } from '../../mongo/scram';
import { isSqlite } from '../../store/store';
import { findDatabaseUser, putDatabaseUser } from '../../store/data/databaseUsers';
import { type HandlerDependencies, requireText } from '../handlerSupport';

type DatabaseOperations = Pick<
  ServiceImpl<typeof DataService>,
  'getDatabaseConnection' | 'configureDatabaseUser'
>;

interface DatabaseDependencies extends HandlerDependencies {
  databaseEndpoint: DatabaseEndpoint;
}

const MIN_PASSWORD_LENGTH = 8;
/** Placeholder that users replace with their password, as in the URIs of the public cloud. */
const PASSWORD_PLACEHOLDER = 'YOUR-PASSWORD-HERE';

/**
 * Handlers for an organization's database, which MongoDB clients can read (spec part 1, database
 * access).
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
        mongodbUri: connectionUri(organizationId, address, !isSqlite(store)),
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

/** @param isShared true if the address can be that of a load balancer for several nodes. */
function connectionUri(
  organizationId: string,
  { host, isEncrypted }: DatabaseAddress,
  isShared: boolean,
): string {
  const credentials = `${databaseUserName(organizationId)}:${PASSWORD_PLACEHOLDER}`;
  return `mongodb://${credentials}@${host}/?ssl=${String(isEncrypted)}&authSource=${ADMIN_DATABASE}${isShared ? '&loadBalanced=true' : ''}`;
}

/**
 * Converts a password to the form that clients authenticate against.
 * @throws InvalidArgument with a message that doesn't contain the password.
 */
function requirePassword(password: string): string {
  const prepared = preparePassword(requireText(password, 'password'));
  if (prepared === undefined) {
    throw invalid(
      "password: contains characters that clients can't send; use letters, digits, and punctuation",
    );
  }
  if (prepared.length < MIN_PASSWORD_LENGTH) {
    throw invalid(`password: must have at least ${String(MIN_PASSWORD_LENGTH)} characters`);
  }
  return prepared;
}

/** Characters that are ignored in any position (RFC 3454, table B.1). */
const MAPPED_TO_NOTHING =
  /\u00AD|\u034F|\u1806|[\u180B-\u180D]|\u200B|\u200C|\u200D|\u2060|[\uFE00-\uFE0F]|\uFEFF/gu;
/** Spaces other than U+0020 (table C.1.2). */
const OTHER_SPACES = /[\u00A0\u1680\u2000-\u200A\u202F\u205F\u3000]/gu;
/**
 * Control characters, private use, unassigned characters, lone surrogates, and direction marks
 * (tables C.2 to C.9).
 */
const PROHIBITED =
  /[\p{Cc}\p{Co}\p{Cn}\p{Cs}\u0340\u0341\u06DD\u070F\u180E\u200E\u200F\u2028-\u202E\u2061-\u2063\u206A-\u206F\u2FF0-\u2FFB\uFFF9-\uFFFD\u{1D173}-\u{1D17A}\u{E0001}\u{E0020}-\u{E007F}]/u;
const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}]/u;
const LEFT_TO_RIGHT =
  /(?![\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}])\p{L}/u;

/**
 * Prepares a password in the same way that clients do before they authenticate (SASLprep, RFC
 * 4013). Normalizes characters that look alike.
 * @returns undefined if the password contains characters that no client can send.
 */
export function preparePassword(password: string): string | undefined {
  const prepared = password
    .replaceAll(OTHER_SPACES, ' ')
    .replaceAll(MAPPED_TO_NOTHING, '')
    .normalize('NFKC');
  const mixesDirections = RIGHT_TO_LEFT.test(prepared) && LEFT_TO_RIGHT.test(prepared);
  return PROHIBITED.test(prepared) || mixesDirections ? undefined : prepared;
}
