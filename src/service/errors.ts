import { durationFromMs } from '@bufbuild/protobuf/wkt';
import { Code, ConnectError } from '@connectrpc/connect';
import { RetryInfoSchema } from '../gen/google/rpc/error_details_pb';

/** Returns `InvalidArgument` for a malformed request, with a sentence that explains what to fix. */
export function invalid(message: string): ConnectError {
  return new ConnectError(message, Code.InvalidArgument);
}

/**
 * Returns the error for a resource that doesn't exist or that the caller can't read. The error is
 * the same in both cases, so a rejection never reveals whether an ID exists.
 */
export function notFound(kind: string, id: string): ConnectError {
  return new ConnectError(
    `${kind} "${id}" not found, or you don't have permission to view it`,
    Code.NotFound,
  );
}

/**
 * Returns the error for a caller who can read a resource but whose roles don't include a required
 * permission.
 */
export function permissionDenied(permission: string, kind: string, id: string): ConnectError {
  return new ConnectError(
    `permission denied: requires ${permission} on ${kind} "${id}"; ask an owner for a role that includes it`,
    Code.PermissionDenied,
  );
}

/** Returns the error for a valid request that the resource's state doesn't allow. */
export function failedPrecondition(message: string): ConnectError {
  return new ConnectError(message, Code.FailedPrecondition);
}

/** Returns the error for a unique name that is taken. */
export function alreadyExists(message: string): ConnectError {
  return new ConnectError(message, Code.AlreadyExists);
}

/** Returns the error for an operation in the wire protocol that this service doesn't support. */
export function unimplemented(message: string): ConnectError {
  return new ConnectError(message, Code.Unimplemented);
}

/** Returns the error for stored data that can no longer be read or has been altered. */
export function dataLoss(message: string): ConnectError {
  return new ConnectError(message, Code.DataLoss);
}

/**
 * Returns the error for a dependency of this service that doesn't respond. The error implies that
 * nothing was changed.
 */
export function unavailable(message: string): ConnectError {
  return new ConnectError(message, Code.Unavailable);
}

/**
 * Time in milliseconds after which callers can try again that were rejected because other calls use
 * all memory, or because too many calls are waiting. Large messages and most queries take less time.
 */
export const BUSY_RETRY_MS = 10_000;

/**
 * Returns an error for a request that exceeds a quota or limit.
 * @param retryAfterMs time in milliseconds after which a retry can succeed, which the caller receives
 *   as a detail that programs can read (`google.rpc.RetryInfo`)
 */
export function exhausted(message: string, retryAfterMs?: number): ConnectError {
  const error = new ConnectError(message, Code.ResourceExhausted);
  if (retryAfterMs !== undefined) {
    const retryDelay = durationFromMs(Math.ceil(retryAfterMs));
    error.details.push({ desc: RetryInfoSchema, value: { retryDelay } });
  }
  return error;
}

/**
 * Returns the error for a resource that another client has changed since the caller read it. The
 * caller must read it again before retrying.
 */
export function stale(message: string): ConnectError {
  return new ConnectError(message, Code.Aborted);
}
