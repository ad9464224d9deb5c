import { ConnectError } from '@connectrpc/connect';

const HEADER = 'x-request-id';
/** Format of the request IDs that services create. Anything else must not be logged. */
const ID = /^[\w-]{1,64}$/;

/**
 * Returns the ID under which the service logs a failed call; undefined if the error doesn't contain
 * one.
 */
export function getRequestId(error: unknown): string | undefined {
  const id = error instanceof ConnectError ? error.metadata.get(HEADER) : null;
  return id !== null && ID.test(id) ? id : undefined;
}
