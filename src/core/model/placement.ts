/**
 * Category in which binary data appears. According to the spec, the file extension decides,
 * ignoring case (part 1, file uploads: .jpeg, .jpg, and .png under images, .pcd under point clouds,
 * all others under files); the extension also determines the MIME type. If an uploader specified a
 * different MIME type, that type decides, because services can filter by it, so that counts,
 * listings, and bulk changes are consistent.
 */
export type Placement = 'images' | 'pointClouds' | 'files';

/** MIME types of a category for filters, including names that some uploaders use. */
export const PLACED_MIME_TYPES: Readonly<Record<'images' | 'pointClouds', readonly string[]>> = {
  images: ['image/jpeg', 'image/png', 'image/jpg'],
  pointClouds: ['pointcloud/pcd', 'application/pcd'],
};

/** Returns the category of a MIME type. */
export function getPlacement(mimeType: string): Placement {
  if (PLACED_MIME_TYPES.images.includes(mimeType)) return 'images';
  return PLACED_MIME_TYPES.pointClouds.includes(mimeType) ? 'pointClouds' : 'files';
}
