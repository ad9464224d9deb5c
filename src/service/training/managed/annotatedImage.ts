import { type FileHandle, open } from 'node:fs/promises';

/**
 * Bounding box around an object in an image. Each side is a fraction of the image size, from 0 to
 * 1.
 */
export interface Box {
  readonly label: string;
  readonly xMin: number;
  readonly yMin: number;
  readonly xMax: number;
  readonly yMax: number;
}

/** Image in the dataset, with its annotations. */
export interface AnnotatedImage {
  readonly file: string;
  /** Labels for the whole image, without duplicates. */
  readonly labels: readonly string[];
  readonly boxes: readonly Box[];
}

/** A dataset line's fields that training uses. */
interface DatasetLine {
  image_path?: string;
  classification_annotations?: { annotation_label?: string }[];
  bounding_box_annotations?: {
    annotation_label?: string;
    x_min_normalized?: number;
    y_min_normalized?: number;
    x_max_normalized?: number;
    y_max_normalized?: number;
  }[];
}

/**
 * Parses a line of `dataset.jsonl`. The result contains the path as written in the line, relative
 * to the dataset file.
 * @returns undefined if the line doesn't describe an image.
 */
export function readAnnotatedImage(text: string): AnnotatedImage | undefined {
  const line = JSON.parse(text) as DatasetLine;
  if (line.image_path === undefined) return undefined;
  const labels = (line.classification_annotations ?? []).flatMap(
    ({ annotation_label: label }) => label ?? [],
  );
  const boxes = (line.bounding_box_annotations ?? []).map((box) => ({
    label: box.annotation_label ?? '',
    xMin: share(box.x_min_normalized),
    yMin: share(box.y_min_normalized),
    xMax: share(box.x_max_normalized),
    yMax: share(box.y_max_normalized),
  }));
  return { file: line.image_path, labels: [...new Set(labels)], boxes: boxes.filter(hasArea) };
}

function share(value: number | undefined): number {
  return Math.min(Math.max(value ?? 0, 0), 1);
}

function hasArea({ xMin, yMin, xMax, yMax }: Box): boolean {
  return xMax > xMin && yMax > yMin;
}

/** Maximum image size. Larger images are skipped because each pixel uses memory during decoding. */
export const MAX_MEGAPIXELS = 40;

const MEGA = 1e6;
/** Maximum number of segments that precede the size in a JPEG file. Cameras write about ten. */
const MAX_SEGMENTS = 500;
const JPEG_START = 0xffd8;
const FIRST_SEGMENT_AT = 2;
const MARKER = 0xff;
const START_OF_SCAN = 0xda;
/** Number of bytes from a segment's marker through the frame's height and width. */
const SEGMENT_BYTES = 9;
const HEIGHT_AT = 5;
const WIDTH_AT = 7;
const PNG_START = 0x89504e47;
const PNG_WIDTH_AT = 16;
const PNG_HEIGHT_AT = 20;
const PNG_BYTES = 24;

/**
 * Returns the number of megapixels to decode in a JPEG or PNG file, according to its header.
 * @returns 0 if the size is unknown or the image is too large to be decoded.
 */
export async function megapixelsIn(path: string): Promise<number> {
  await using file = await open(path);
  const megapixels = (await pixelsIn(file)) / MEGA;
  return megapixels > MAX_MEGAPIXELS ? 0 : megapixels;
}

async function pixelsIn(file: FileHandle): Promise<number> {
  const head = await bytesAt(file, 0, PNG_BYTES);
  if (head === undefined) return 0;
  if (head.readUInt32BE() === PNG_START) {
    return head.readUInt32BE(PNG_WIDTH_AT) * head.readUInt32BE(PNG_HEIGHT_AT);
  }
  return head.readUInt16BE() === JPEG_START ? countJpegPixels(file) : 0;
}

async function countJpegPixels(file: FileHandle): Promise<number> {
  let at = FIRST_SEGMENT_AT;
  for (let segments = 0; segments < MAX_SEGMENTS; segments += 1) {
    const segment = await bytesAt(file, at, SEGMENT_BYTES);
    if (segment?.[0] !== MARKER || segment[1] === START_OF_SCAN) return 0;
    if (isFrame(segment[1] ?? 0)) {
      return segment.readUInt16BE(HEIGHT_AT) * segment.readUInt16BE(WIDTH_AT);
    }
    // A marker can be preceded by any number of fill bytes.
    at += segment[1] === MARKER ? 1 : 2 + segment.readUInt16BE(2);
  }
  return 0;
}

/**
 * Returns true for markers from C0 to CF that start a frame. The other markers in this range start
 * tables.
 */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}

/** @returns undefined if the file ends before the last requested byte. */
async function bytesAt(file: FileHandle, at: number, length: number): Promise<Buffer | undefined> {
  const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, at);
  return bytesRead === length ? buffer : undefined;
}
