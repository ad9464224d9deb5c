import { Code, ConnectError } from '@connectrpc/connect';
import { BSONError, type Document } from 'bson';
import { toStoreError } from '../store/storeErrors';

/** MongoDB's error codes, which its clients evaluate. */
const MONGO_CODES = {
  BadValue: 2,
  UnknownError: 8,
  FailedToParse: 9,
  Unauthorized: 13,
  TypeMismatch: 14,
  Overflow: 15,
  ProtocolError: 17,
  AuthenticationFailed: 18,
  IllegalOperation: 20,
  InvalidBSON: 22,
  CursorNotFound: 43,
  MaxTimeMSExpired: 50,
  CommandNotFound: 59,
  InvalidOptions: 72,
  InvalidNamespace: 73,
  ShutdownInProgress: 91,
  CommandNotSupported: 115,
  ExceededMemoryLimit: 146,
  UnsupportedOpQueryCommand: 352,
  IngressRequestRateLimitExceeded: 462,
  BSONObjectTooLarge: 10334,
  Interrupted: 11601,
  OutOfDiskSpace: 14031,
  SearchNotEnabled: 31082,
  UnknownField: 40415,
  Location40602: 40602,
  MissingDatabase: 40571,
} as const;

export type MongoErrorName = keyof typeof MONGO_CODES;

/** Error for a failed command, with a message for the client. */
export class MongoError extends Error {
  override readonly name = 'MongoError';

  constructor(
    readonly codeName: MongoErrorName,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }

  get code(): number {
    return MONGO_CODES[this.codeName];
  }

  /** Returns the response to the failed command. */
  toReply(): Document {
    const { code, codeName, message } = this;
    const isOverload = codeName === 'IngressRequestRateLimitExceeded';
    return {
      ok: 0,
      errmsg: message,
      code,
      codeName,
      ...(isOverload && { errorLabels: OVERLOAD_LABELS }),
    };
  }
}

/** Labels that instruct drivers to try again later and not to treat the server as defective. */
const OVERLOAD_LABELS = ['SystemOverloadedError', 'RetryableError'];

const NAMES_BY_CODE: Partial<Record<Code, MongoErrorName>> = {
  [Code.InvalidArgument]: 'BadValue',
  [Code.FailedPrecondition]: 'IllegalOperation',
  [Code.NotFound]: 'Unauthorized',
  [Code.PermissionDenied]: 'Unauthorized',
  [Code.ResourceExhausted]: 'ExceededMemoryLimit',
  [Code.DeadlineExceeded]: 'MaxTimeMSExpired',
  [Code.Canceled]: 'Interrupted',
  [Code.Aborted]: 'Interrupted',
  [Code.Unimplemented]: 'CommandNotSupported',
  [Code.Unavailable]: 'UnknownError',
};

/**
 * Converts an error to one that can be sent to the client.
 * @param report logs an unexpected error and returns a message that can be disclosed.
 */
export function toMongoError(error: unknown, report: (error: unknown) => string): MongoError {
  if (error instanceof MongoError) return error;
  if (BSONError.isBSONError(error)) {
    return new MongoError('InvalidBSON', 'the command is not a valid BSON document');
  }
  const connectError = error instanceof ConnectError ? error : toStoreError(error);
  const codeName = connectError && NAMES_BY_CODE[connectError.code];
  return connectError === undefined || codeName === undefined
    ? new MongoError('UnknownError', report(error), { cause: error })
    : new MongoError(codeName, connectError.rawMessage, { cause: error });
}
