import { waitUntil } from '../../support/waitUntil';

/**
 * Waits for a condition that isn't visible on a page, such as a service response or a written file.
 * @param condition description for the error message, such as `the part is marked`
 */
export function until(
  condition: string,
  isMet: () => boolean | Promise<boolean>,
  limitMs?: number,
): Promise<void> {
  return waitUntil(isMet, { describeState: () => condition, pollMs: 100, limitMs });
}
