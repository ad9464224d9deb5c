import { FleetError } from '../api/errors';

/**
 * Answers what a change answers. Where the service does not know its resource any more, the lists that
 * show it are older than that: `reread` is called before the failure goes on.
 */
export async function whenGone<T>(change: Promise<T>, reread: () => void): Promise<T> {
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
