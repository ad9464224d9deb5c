import type { PixelSize } from './decodeThumbnail';

/** Thumbnail sizes in CSS pixels. */
export const tileSizes = {
  small: { width: 112, height: 84 },
  medium: { width: 176, height: 132 },
  large: { width: 272, height: 204 },
} as const satisfies Readonly<Record<string, PixelSize>>;

export type TileSize = keyof typeof tileSizes;

/** Horizontal space that a tile needs in addition to its thumbnail. */
export const TILE_PADDING = 16;
