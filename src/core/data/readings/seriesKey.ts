import type { CaptureSource } from '../../model/binaryItem';

/**
 * Returns a key that is the same for all readings of one resource and method, and different for all
 * other readings.
 */
export function seriesKey({ partId, componentType, componentName, method }: CaptureSource): string {
  return JSON.stringify([partId, componentType, componentName, method]);
}
