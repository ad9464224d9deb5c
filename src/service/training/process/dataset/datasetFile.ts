import { createReadStream } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { createInterface } from 'node:readline';

/** Where a thing is in an image: each side as a share of the image, from 0 to 1. */
export interface Box {
  readonly label: string;
  readonly xMin: number;
  readonly yMin: number;
  readonly xMax: number;
  readonly yMax: number;
}

/** An image of the dataset with what people said of it. */
export interface AnnotatedImage {
  /** Absolute. */
  readonly file: string;
  /** What is said of the whole image, each once. */
  readonly labels: readonly string[];
  readonly boxes: readonly Box[];
}

/** The fields of a line that training looks at. */
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

/** Reads `dataset.jsonl`, ordered by the paths of the images: the order of its lines changes nothing. */
export async function readDatasetFile(path: string): Promise<AnnotatedImage[]> {
  const images: AnnotatedImage[] = [];
  for await (const text of createInterface({ input: createReadStream(path) })) {
    if (text.trim() === '') continue;
    const line = JSON.parse(text) as DatasetLine;
    if (line.image_path !== undefined) images.push(imageOf(line, line.image_path, dirname(path)));
  }
  return images.sort((a, b) => (a.file < b.file ? -1 : 1));
}

function imageOf(line: DatasetLine, path: string, folder: string): AnnotatedImage {
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
  return {
    file: resolve(folder, path),
    labels: [...new Set(labels)],
    boxes: boxes.filter(hasArea),
  };
}

function share(value: number | undefined): number {
  return Math.min(Math.max(value ?? 0, 0), 1);
}

function hasArea({ xMin, yMin, xMax, yMax }: Box): boolean {
  return xMax > xMin && yMax > yMin;
}
