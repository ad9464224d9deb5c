import { FleetError } from '../api/errors';

/**
 * Answers what a change answers. Where the service does not know its resource any more, the lists that
 * show it are older than that: `reread` is called before the failure goes on.
 */
export async function whenGone<T>(change: Promise<T>, reread: () => void): Promise<T> {
  try {
    return await change;
  } catch (error) {
    if (error instanceof FleetError && error.kind === 'notFound') reread();
    throw error;
  }
}
