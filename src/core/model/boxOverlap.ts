import type { BoxCorners } from './binaryItem';

/** Returns the IoU (intersection over union) of two boxes, from 0 to 1. */
export function computeIou(one: BoxCorners, other: BoxCorners): number {
  const width = Math.min(one.xMax, other.xMax) - Math.max(one.xMin, other.xMin);
  const height = Math.min(one.yMax, other.yMax) - Math.max(one.yMin, other.yMin);
  if (width <= 0 || height <= 0) return 0;
  const shared = width * height;
  return shared / (getArea(one) + getArea(other) - shared);
}

function getArea({ xMin, xMax, yMin, yMax }: BoxCorners): number {
  return (xMax - xMin) * (yMax - yMin);
}
