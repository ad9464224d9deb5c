import { Code, ConnectError, type Interceptor } from '@connectrpc/connect';
import type { Logger } from '../../base/logger';

/** Code used for connection errors that have no code. */
const CONNECTION_LOST = 'connection lost';

const DISK_FULL = [13, '53100', 'ENOSPC', 'EDQUOT'];
/** Codes for malformed pages and indexes, truncated files, and files that are not a database. */
const DAMAGED = [11, 267, 523, 779, 522, 26, 'XX001', 'XX002'];

/**
 * Groups of codes that represent the same error in the databases and in the file system: SQLite
 * result codes, SQLSTATEs, and errno values.
 */
const FAULTS: readonly { codes: readonly (number | string)[]; code: Code; message: string }[] = [
  {
    codes: [1555, 2067, '23505'],
    code: Code.AlreadyExists,
    message: 'another resource took this name or ID at the same time',
  },
  {
    codes: [787, '23503'],
    code: Code.Aborted,
    message: 'a resource that this one belongs to was deleted at the same time',
  },
  { codes: ['22021'], code: Code.InvalidArgument, message: 'text must not contain U+0000' },
  {
    // PostgreSQL indexes no values of more than about 2,700 bytes.
    codes: ['54000'],
    code: Code.InvalidArgument,
    message: 'a name, ID, tag, or label is too long: shorten it',
  },
  {
    codes: DISK_FULL,
    code: Code.ResourceExhausted,
    message: 'the disk of the fleet service is full: nothing was changed',
  },
  {
    codes: DAMAGED,
    code: Code.DataLoss,
    message: 'the database of the fleet service is damaged: its operator must restore a backup',
  },
  {
    codes: [5, 261, 517, '40001', '40P01', '55P03', '57014'],
    code: Code.Unavailable,
    message: 'the store is busy: try again',
  },
  {
    codes: [
      ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENOTFOUND'],
      ...['08000', '08003', '08006', '25P03', '57P01', '57P02', '57P03', '53300'],
      CONNECTION_LOST,
    ],
    code: Code.Unavailable,
    message: "the fleet service can't reach its database: try again later",
  },
];

/**
 * Matches messages of PostgreSQL client errors without a code. They occur when a connection is lost
 * or can't be opened.
 */
const LOST_MESSAGES =
  /^Connection terminated|is not queryable$|^timeout exceeded when trying to connect/;

/**
 * Converts database errors to codes that clients can handle, and passes on all other errors. Logs
 * damage to the database once per affected method.
 */
export function storeErrorInterceptor(logger: Logger): Interceptor {
  const reported = new Set<string>();
  return (next) => async (request) => {
    const translate = (error: unknown): unknown => {
      const method = `${request.service.typeName}/${request.method.name}`;
      if (isDatabaseDamaged(error) && !reported.has(method)) {
        reported.add(method);
        logger.error(
          'the database is damaged: stop the service, and restore a backup into a new directory with service restore',
          { method, error: findReason(error) },
        );
      }
      return toStoreError(error) ?? error;
    };
    try {
      const response = await next(request);
      return response.stream
        ? { ...response, message: translatingErrors(response.message, translate) }
        : response;
    } catch (error) {
      throw translate(error);
    }
  };
}

async function* translatingErrors<T>(
  messages: AsyncIterable<T>,
  translate: (error: unknown) => unknown,
): AsyncGenerator<T> {
  try {
    yield* messages;
  } catch (error) {
    throw translate(error);
  }
}

/** Returns true if an error reports that the disk is full. */
export function isDiskFull(error: unknown): boolean {
  return hasCode(error, DISK_FULL);
}

/** Returns true if an error reports damaged database files. */
export function isDatabaseDamaged(error: unknown): boolean {
  return hasCode(error, DAMAGED);
}

/**
 * Runs a startup task. If it fails because the database is damaged, logs this and continues,
 * because the service can still handle most calls without the task.
 * @param task description that follows "skipped because the database is damaged: " in the log
 *   message.
 */
export async function runUnlessDamaged(
  task: string,
  logger: Logger,
  run: () => Promise<void>,
): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (!isDatabaseDamaged(error)) throw error;
    logger.error(
      `skipped because the database is damaged: ${task}; restore a backup into a new directory with service restore`,
      { error: findReason(error) },
    );
  }
}

/** Returns the message from the innermost error, which the database or file system threw. */
export function findReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? findReason(error.cause) : error.message;
}

function hasCode(error: unknown, codes: readonly (number | string)[]): boolean {
  if (!(error instanceof Error)) return false;
  const { errcode, code } = error as { errcode?: number; code?: unknown };
  // The code of a ConnectError is a number with a different meaning. For example, 13 means
  // Internal.
  const own = errcode ?? (typeof code === 'string' ? code : undefined);
  return (own !== undefined && codes.includes(own)) || hasCode(error.cause, codes);
}

/** Converts a database error to an error for callers. Returns undefined for all other errors. */
export function toStoreError(error: unknown): ConnectError | undefined {
  if (error instanceof ConnectError || !(error instanceof Error)) return undefined;
  const { errcode, code } = error as { errcode?: number; code?: string };
  const lost = LOST_MESSAGES.test(error.message) ? CONNECTION_LOST : '';
  const match = FAULTS.find(({ codes }) => codes.includes(errcode ?? code ?? lost));
  return match && new ConnectError(match.message, match.code, undefined, undefined, error);
}
