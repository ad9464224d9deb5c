import { deserialize, type Document } from 'bson';
import { isEmptyDocument } from './rawBson';
import { MongoError } from './mongoError';

/** Fields that say how a command is sent rather than what it is to do. */
const OF_ANY_COMMAND = [
  ...['$db', '$clusterTime', '$readPreference', 'readConcern', 'lsid', 'comment', 'maxTimeMS'],
  ...['apiVersion', 'apiStrict', 'apiDeprecationErrors'],
];
const OF_TRANSACTIONS = ['startTransaction', 'autocommit', 'txnNumber'];

export interface KnownFields {
  /** Fields that the command reads. */
  read: readonly string[];
  /** Fields that change nothing here. */
  ignored?: readonly string[];
  /** Fields that would change the answer in a way that is not offered, unless they are empty. */
  refused?: readonly string[];
}

/**
 * Refuses a command that asks for what is not offered, rather than to answer something else.
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
    if (known.refused?.includes(name) && !isNothing(value)) {
      throw new MongoError(
        'CommandNotSupported',
        `${command}: the option "${name}" is not supported`,
      );
    }
    const isKnown = [command, ...OF_ANY_COMMAND, ...known.read]
      .concat(known.ignored ?? [], known.refused ?? [])
      .includes(name);
    if (!isKnown) {
      throw new MongoError('UnknownField', `BSON field '${command}.${name}' is an unknown field.`);
    }
  }
}

function isNothing(value: unknown): boolean {
  return (
    value === undefined ||
    value === null ||
    value === false ||
    (value instanceof Uint8Array && isEmptyDocument(value))
  );
}

/**
 * A whole number of a command, 0 or more; `absent` when it is not there.
 * @throws MongoError when it is another value.
 */
export function numberField(fields: Document, name: string, absent: number): number {
  const value: unknown = fields[name] ?? absent;
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) {
    throw new MongoError('TypeMismatch', `"${name}" must be a whole number`);
  }
  if (value < 0) {
    throw new MongoError('BadValue', `"${name}" must not be below 0`);
  }
  return value;
}

/**
 * A document of a command, in BSON; undefined when it is not there or has no fields.
 * @throws MongoError when it is another value.
 */
export function documentField(fields: Document, name: string): Uint8Array | undefined {
  const value: unknown = fields[name] ?? undefined;
  if (value !== undefined && !(value instanceof Uint8Array)) {
    throw new MongoError('TypeMismatch', `"${name}" must be a document`);
  }
  return value === undefined || isEmptyDocument(value) ? undefined : value;
}

/**
 * Checks that strings are to be compared as they are here: by their code points.
 * @throws MongoError for another collation.
 */
export function checkCollation(fields: Document): void {
  const collation = documentField(fields, 'collation');
  if (collation === undefined) {
    return;
  }
  const { locale, ...others } = deserialize(collation);
  if (locale !== 'simple' || Object.keys(others).length > 0) {
    throw new MongoError(
      'CommandNotSupported',
      'only the collation {locale: "simple"} is supported, which compares strings by their ' +
        'code points: use $toLower, or $regex with the option "i", to ignore case',
    );
  }
}

/** The client's session that a command names, in letters. */
export function sessionField({ lsid }: Document): string | undefined {
  return lsid instanceof Uint8Array ? sessionKey(lsid) : undefined;
}

/** A session as cursors remember it. */
export function sessionKey(lsid: Uint8Array): string {
  return Buffer.from(lsid).toString('base64');
}
