import { isCanceled } from '../../../core/api/errors';

/**
 * Runs one of several steps; canceling it returns to the previous step instead of ending the whole
 * command.
 */
export async function backOnCancel(step: () => Promise<void>): Promise<void> {
  try {
    await step();
  } catch (error) {
    if (!isCanceled(error)) throw error;
  }
}
