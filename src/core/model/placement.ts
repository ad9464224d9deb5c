/**
 * Where binary data appears. The spec decides by the file extension, in any case (part 1, file uploads:
 * .jpeg, .jpg and .png under images, .pcd under point clouds, all others under files), which also decides
 * the MIME type. Where an uploader has said another type, the type counts: it is what a service can be
 * asked for, so that counts, listings and bulk changes agree.
 */
export type Placement = 'images' | 'pointClouds' | 'files';

/** The MIME types of a place, by which a service can be asked for it, with names that some uploaders use. */
export const PLACED_MIME_TYPES: Readonly<Record<'images' | 'pointClouds', readonly string[]>> = {
  images: ['image/jpeg', 'image/png', 'image/jpg'],
  pointClouds: ['pointcloud/pcd', 'application/pcd'],
};

/** Where data of a MIME type appears. */
export function placementOfType(mimeType: string): Placement {
  if (PLACED_MIME_TYPES.images.includes(mimeType)) return 'images';
  return PLACED_MIME_TYPES.pointClouds.includes(mimeType) ? 'pointClouds' : 'files';
}
