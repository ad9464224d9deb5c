import type { CaptureSource } from '../../model/binaryItem';

/**
 * Returns a key that is equal for all readings of one resource and method, and different for all
 * others.
 */
export function seriesKey({ partId, componentType, componentName, method }: CaptureSource): string {
  return JSON.stringify([partId, componentType, componentName, method]);
}
