/**
 * Bounding box of an object in an image. Each side is a fraction of the image size, from 0 to 1.
 */
export interface Box {
  readonly label: string;
  readonly xMin: number;
  readonly yMin: number;
  readonly xMax: number;
  readonly yMax: number;
}

/** Image of the dataset with its annotations. */
export interface AnnotatedImage {
  readonly file: string;
  /** Labels of the whole image, without duplicates. */
  readonly labels: readonly string[];
  readonly boxes: readonly Box[];
}

/** The fields of a dataset line that training uses. */
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
