import { FleetError } from '../api/errors';

/**
 * Returns the result of a change. If the service no longer has the resource, the lists that show it
 * are outdated, so this function calls `reread` before rethrowing the error.
 */
export async function invalidateOnNotFound<T>(change: Promise<T>, reread: () => void): Promise<T> {
  try {
    return await change;
  } catch (error) {
    if (isNotFound(error)) reread();
    throw error;
  }
}

/** Returns true if a call failed because its resource was deleted or can't be viewed anymore. */
export function isNotFound(error: unknown): boolean {
  return error instanceof FleetError && error.kind === 'notFound';
}
