import { FleetError } from '../api/errors';

/**
 * Returns the result of a change. If the service no longer knows its resource, the lists that show
 * it are stale: calls `reread` before it rethrows the error.
 */
export async function invalidateOnNotFound<T>(change: Promise<T>, reread: () => void): Promise<T> {
  try {
    return await change;
  } catch (error) {
    if (isNotFound(error)) reread();
    throw error;
  }
}

/** Returns whether a call failed because its resource was deleted or can't be viewed anymore. */
export function isNotFound(error: unknown): boolean {
  return error instanceof FleetError && error.kind === 'notFound';
}
