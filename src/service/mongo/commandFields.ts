import { deserialize, type Document } from 'bson';
import { isEmptyDocument } from './rawBson';
import { MongoError } from './mongoError';

/** Fields that specify how a command is sent rather than what it does. */
const OF_ANY_COMMAND = [
  ...['$db', '$clusterTime', '$readPreference', 'readConcern', 'lsid', 'comment', 'maxTimeMS'],
  ...['apiVersion', 'apiStrict', 'apiDeprecationErrors'],
];
const OF_TRANSACTIONS = ['startTransaction', 'autocommit', 'txnNumber'];

export interface KnownFields {
  /** Fields that the command uses. */
  read: readonly string[];
  /** Fields that have no effect in this service. */
  ignored?: readonly string[];
  /** Fields that would change the response in an unsupported way unless they are empty. */
  unsupported?: readonly string[];
}

/**
 * Rejects a command with unsupported fields, because ignoring them would produce a different
 * result.
 * @throws MongoError that names the field.
 */
export function checkFields(command: string, fields: Document, known: KnownFields): void {
  for (const [name, value] of Object.entries(fields) as [string, unknown][]) {
    if (OF_TRANSACTIONS.includes(name)) {
      throw new MongoError(
        'IllegalOperation',
        'transactions are not supported because data is read-only',
      );
    }
    if (known.unsupported?.includes(name) && !isEmpty(value)) {
      throw new MongoError(
        'CommandNotSupported',
        `${command}: the option "${name}" is not supported`,
      );
    }
    const isKnown = [command, ...OF_ANY_COMMAND, ...known.read]
      .concat(known.ignored ?? [], known.unsupported ?? [])
      .includes(name);
    if (!isKnown) {
      throw new MongoError('UnknownField', `BSON field '${command}.${name}' is an unknown field.`);
    }
  }
}

function isEmpty(value: unknown): boolean {
  return (
    value === undefined ||
    value === null ||
    value === false ||
    (value instanceof Uint8Array && isEmptyDocument(value))
  );
}

/**
 * Returns an integer field in a command. The value must be at least 0. Returns `absent` if the
 * field doesn't exist.
 * @throws MongoError if the field has an invalid value.
 */
export function numberField(fields: Document, name: string, absent: number): number {
  const value: unknown = fields[name] ?? absent;
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) {
    throw new MongoError('TypeMismatch', `"${name}" must be a whole number`);
  }
  if (value < 0) throw new MongoError('BadValue', `"${name}" must not be below 0`);
  return value;
}

/**
 * Returns a document field in a command as BSON; undefined if the field doesn't exist or is empty.
 * @throws MongoError if the field has an invalid value.
 */
export function documentField(fields: Document, name: string): Uint8Array | undefined {
  const value: unknown = fields[name] ?? undefined;
  if (value !== undefined && !(value instanceof Uint8Array)) {
    throw new MongoError('TypeMismatch', `"${name}" must be a document`);
  }
  return value === undefined || isEmptyDocument(value) ? undefined : value;
}

/**
 * Checks that the command uses the only supported collation, which compares strings by code points.
 * @throws MongoError for any other collation.
 */
export function checkCollation(fields: Document): void {
  const collation = documentField(fields, 'collation');
  if (collation === undefined) return;
  const { locale, ...others } = deserialize(collation);
  if (locale !== 'simple' || Object.keys(others).length > 0) {
    throw new MongoError(
      'CommandNotSupported',
      'only the collation {locale: "simple"} is supported, which compares strings by their ' +
        'code points: use $toLower, or $regex with the option "i", to ignore case',
    );
  }
}

/** Returns a command's client session as a string. */
export function sessionField({ lsid }: Document): string | undefined {
  return lsid instanceof Uint8Array ? sessionKey(lsid) : undefined;
}

/** Returns the key that cursors use to store a session. */
export function sessionKey(lsid: Uint8Array): string {
  return Buffer.from(lsid).toString('base64');
}
