import { waitUntil } from '../../support/waitUntil';

/**
 * Waits for a condition.
 * @param condition description of the condition for the error message
 */
export function until(condition: string, isMet: () => boolean | Promise<boolean>): Promise<void> {
  return waitUntil(isMet, { describeState: () => condition, pollMs: 20 });
}
