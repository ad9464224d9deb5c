import { Code, ConnectError, type Interceptor } from '@connectrpc/connect';

/** Stands for faults of connections that have no code of their own. */
const CONNECTION_LOST = 'connection lost';

const DISK_FULL = [13, '53100', 'ENOSPC', 'EDQUOT'];

/** What the two databases and the file system call the same fault: result codes, SQLSTATEs, errno. */
const FAULTS: readonly { codes: readonly (number | string)[]; code: Code; message: string }[] = [
  {
    codes: [1555, 2067, '23505'],
    code: Code.AlreadyExists,
    message: 'another resource took this name or id at the same moment',
  },
  {
    codes: [787, '23503'],
    code: Code.Aborted,
    message: 'a resource that this one belongs to was deleted at the same moment',
  },
  { codes: ['22021'], code: Code.InvalidArgument, message: 'text must not contain U+0000' },
  {
    codes: DISK_FULL,
    code: Code.ResourceExhausted,
    message: 'the disk of the fleet service is full: nothing was changed',
  },
  {
    codes: [5, 261, 517, '40001', '40P01', '55P03'],
    code: Code.Unavailable,
    message: 'the store is busy: try again',
  },
  {
    codes: [
      ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENOTFOUND'],
      ...['08000', '08003', '08006', '57P01', '57P02', '57P03', '53300'],
      CONNECTION_LOST,
    ],
    code: Code.Unavailable,
    message: 'the fleet service cannot reach its database: try again later',
  },
];

/** What the PostgreSQL client says without a code when its connection is gone or cannot be made. */
const LOST_MESSAGES =
  /^Connection terminated|is not queryable$|^timeout exceeded when trying to connect/;

/** Answers faults of the database with the code a client can act on; passes on what it knows not. */
export function storeErrorInterceptor(): Interceptor {
  return (next) => async (request) => {
    try {
      return await next(request);
    } catch (error) {
      throw storeFaultOf(error) ?? error;
    }
  };
}

/** Whether an error says that there is no room on the disk. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) {
    return false;
  }
  const { errcode, code } = error as { errcode?: number; code?: string };
  return DISK_FULL.includes(errcode ?? code ?? '') || isDiskFull(error.cause);
}

/** A fault of the database as callers read it; undefined for every other error. */
export function storeFaultOf(error: unknown): ConnectError | undefined {
  if (error instanceof ConnectError || !(error instanceof Error)) {
    return undefined;
  }
  const { errcode, code } = error as { errcode?: number; code?: string };
  const lost = LOST_MESSAGES.test(error.message) ? CONNECTION_LOST : '';
  const fault = FAULTS.find(({ codes }) => codes.includes(errcode ?? code ?? lost));
  return fault && new ConnectError(fault.message, fault.code, undefined, undefined, error);
}
