/** Where binary data appears, decided by its file extension (spec part 1, file uploads). */
export type Placement = 'images' | 'pointClouds' | 'files';

const PLACEMENTS: Readonly<Record<string, Placement>> = {
  '.jpeg': 'images',
  '.jpg': 'images',
  '.png': 'images',
  '.pcd': 'pointClouds',
};

/** Case does not count: cameras write `.JPG`. */
export function placementOf(fileExtension: string): Placement {
  return PLACEMENTS[fileExtension.toLowerCase()] ?? 'files';
}

/** The MIME types that the extensions of a place give, by which a service can be asked for it. */
export const PLACED_MIME_TYPES: Readonly<Record<'images' | 'pointClouds', readonly string[]>> = {
  images: ['image/jpeg', 'image/png'],
  pointClouds: ['pointcloud/pcd'],
};
