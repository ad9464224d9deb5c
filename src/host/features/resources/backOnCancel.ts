import { isCanceled } from '../../../core/api/errors';

/**
 * Runs one step of a multi-step command. Canceling this step returns to the previous step instead
 * of ending the command.
 */
export async function backOnCancel(step: () => Promise<void>): Promise<void> {
  try {
    await step();
  } catch (error) {
    if (!isCanceled(error)) throw error;
  }
}
