import { isCanceled } from '../../../core/api/errors';

/** Does one step of several; leaving it leads back to the step before instead of ending the whole. */
export async function backOnCancel(step: () => Promise<void>): Promise<void> {
  try {
    await step();
  } catch (error) {
    if (!isCanceled(error)) throw error;
  }
}
