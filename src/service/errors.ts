import { Code, ConnectError } from '@connectrpc/connect';

/** The caller's request is malformed: `InvalidArgument` with a sentence that says what to mend. */
export function invalid(message: string): ConnectError {
  return new ConnectError(message, Code.InvalidArgument);
}

/**
 * The resource does not exist, or the caller may not read it: both answer the same, so that a
 * refusal never tells whether an id exists.
 */
export function notFound(kind: string, id: string): ConnectError {
  return new ConnectError(
    `${kind} "${id}" not found, or you don't have permission to view it`,
    Code.NotFound,
  );
}

/** The resource is readable for the caller, but this act needs a permission its roles lack. */
export function permissionDenied(permission: string, kind: string, id: string): ConnectError {
  return new ConnectError(
    `permission denied: requires ${permission} on ${kind} "${id}"; ask an owner for a role that includes it`,
    Code.PermissionDenied,
  );
}

/** The request is well formed, but the state of the resource forbids it. */
export function failedPrecondition(message: string): ConnectError {
  return new ConnectError(message, Code.FailedPrecondition);
}

/** A name that must be unique is taken. */
export function alreadyExists(message: string): ConnectError {
  return new ConnectError(message, Code.AlreadyExists);
}

/** The wire has it, this service does not. */
export function unimplemented(message: string): ConnectError {
  return new ConnectError(message, Code.Unimplemented);
}

/** What was stored can't be read any more, or only with other bytes. */
export function dataLoss(message: string): ConnectError {
  return new ConnectError(message, Code.DataLoss);
}

/** Something that this service needs does not answer; nothing was changed. */
export function unavailable(message: string): ConnectError {
  return new ConnectError(message, Code.Unavailable);
}

/** The request asks for more than one may have. */
export function exhausted(message: string): ConnectError {
  return new ConnectError(message, Code.ResourceExhausted);
}

/** Somebody else changed the resource since the caller read it: read again, then retry. */
export function stale(message: string): ConnectError {
  return new ConnectError(message, Code.Aborted);
}
