/** An image as red, green, blue, and alpha bytes, row by row from the top. */
export interface RgbaImage {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

const CHANNELS = 4;

/**
 * Rotates an image to its display orientation: cameras write rows in sensor order and record the
 * orientation in which they were held.
 * @param orientation EXIF orientation, from 1 (unchanged) to 8.
 */
export function applyOrientation(picture: RgbaImage, orientation: number): RgbaImage {
  if (orientation < 2 || orientation > 8) return picture;
  const { width, height } = picture;
  // For orientations 5 and above, rows and columns are swapped.
  const isAcross = orientation > 4;
  const [newWidth, newHeight] = isAcross ? [height, width] : [width, height];
  const isFromRight = [2, 3, 7, 8].includes(orientation);
  const isFromBottom = [3, 4, 6, 7].includes(orientation);
  const from = new DataView(picture.pixels.buffer, picture.pixels.byteOffset);
  const pixels = new Uint8Array(width * height * CHANNELS);
  const to = new DataView(pixels.buffer);
  for (let y = 0; y < newHeight; y += 1) {
    for (let x = 0; x < newWidth; x += 1) {
      const [across, down] = isAcross ? [y, x] : [x, y];
      const column = isFromRight ? width - 1 - across : across;
      const row = isFromBottom ? height - 1 - down : down;
      const value = from.getUint32((row * width + column) * CHANNELS);
      to.setUint32((y * newWidth + x) * CHANNELS, value);
    }
  }
  return { width: newWidth, height: newHeight, pixels };
}
