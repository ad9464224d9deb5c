import type { PixelSize } from './decodeThumbnail';

/** The sizes of thumbnails, in CSS pixels. */
export const tileSizes = {
  small: { width: 112, height: 84 },
  medium: { width: 176, height: 132 },
  large: { width: 272, height: 204 },
} as const satisfies Readonly<Record<string, PixelSize>>;

export type TileSize = keyof typeof tileSizes;

/** What a tile has besides its thumbnail from side to side. */
export const TILE_PADDING = 16;
