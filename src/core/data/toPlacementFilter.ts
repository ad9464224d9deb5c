import type { CaptureFilter } from '../model/captureFilter';
import { PLACED_MIME_TYPES, type Placement, getPlacement } from '../model/placement';

/**
 * MIME types of files that are neither images nor point clouds. The API filters by MIME type only
 * and has no negation. To find items of unlisted types, all items must be read.
 */
const OTHER_MIME_TYPES: readonly string[] = [
  'application/gzip',
  'application/json',
  'application/octet-stream',
  'application/pdf',
  'application/x-tar',
  'application/xml',
  'application/zip',
  'audio/mpeg',
  'audio/wav',
  'image/bmp',
  'image/gif',
  'image/svg+xml',
  'image/tiff',
  'image/webp',
  'text/csv',
  'text/html',
  'text/markdown',
  'text/plain',
  'video/mp4',
];

/**
 * Narrows a filter to the items of a category; returns undefined if the filter's own MIME types
 * exclude all of them. For files, if the filter has no MIME types, selects the known types.
 */
export function toPlacementFilter(
  filter: CaptureFilter,
  placement: Placement,
): CaptureFilter | undefined {
  const { mimeTypes } = filter;
  if (mimeTypes.length === 0) {
    const types = placement === 'files' ? OTHER_MIME_TYPES : PLACED_MIME_TYPES[placement];
    return { ...filter, mimeTypes: types };
  }
  const left = mimeTypes.filter((type) => getPlacement(type) === placement);
  return left.length === 0 ? undefined : { ...filter, mimeTypes: left };
}
