const START_BYTES = 2;
const MARKER = 0xff;
const APP1 = 0xe1;
const START_OF_SCAN = 0xda;
const EXIF = Buffer.from('Exif\0\0');
const LITTLE_ENDIAN = 0x4949;
const ENTRY_BYTES = 12;
const ORIENTATION_TAG = 0x0112;
const AS_IT_IS = 1;

/** Returns the EXIF orientation, from 1 (upright) to 8; 1 if the file doesn't specify it. */
export function jpegOrientation(jpeg: Buffer): number {
  try {
    for (let at = START_BYTES; jpeg[at] === MARKER && jpeg[at + 1] !== START_OF_SCAN;) {
      const segment = jpeg.subarray(at + 4, at + 2 + jpeg.readUInt16BE(at + 2));
      if (jpeg[at + 1] === APP1 && segment.subarray(0, EXIF.length).equals(EXIF)) {
        return orientationIn(segment.subarray(EXIF.length));
      }
      at += 2 + jpeg.readUInt16BE(at + 2);
    }
  } catch (error) {
    // The block is shorter than its declared length.
    if (!(error instanceof RangeError)) throw error;
  }
  return AS_IT_IS;
}

/** @throws RangeError if the block is truncated. */
function orientationIn(tiff: Buffer): number {
  const isLittle = tiff.readUInt16BE(0) === LITTLE_ENDIAN;
  const short = (at: number): number => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const directory = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  for (let entry = 0; entry < short(directory); entry += 1) {
    const at = directory + 2 + entry * ENTRY_BYTES;
    if (short(at) === ORIENTATION_TAG) return short(at + 8);
  }
  return AS_IT_IS;
}
