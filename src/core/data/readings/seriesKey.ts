import type { CaptureSource } from '../../model/binaryItem';

/** The same for all readings of one resource and method, and different for those of others. */
export function seriesKey({ partId, componentType, componentName, method }: CaptureSource): string {
  return JSON.stringify([partId, componentType, componentName, method]);
}
