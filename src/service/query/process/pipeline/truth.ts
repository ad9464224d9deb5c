import { isNullish } from './document';

/** Only false, 0, null, and missing values are false. In contrast, mingo includes NaN. */
export function isTrue(value: unknown): boolean {
  return !isNullish(value) && value !== false && value !== 0;
}
