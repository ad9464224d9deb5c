import { jsonLine } from '../../base/jsonLine';
import { type BinaryItem, type BoundingBox, getUserTags } from './binaryItem';
import { isoMicros } from './timestamp';

/**
 * Formats a line in `dataset.jsonl`: the fields that custom training scripts expect from exports of
 * the public service, followed by all of the item's other metadata.
 * @param path path of the item's content, relative to the file, with forward slashes.
 */
export function exportLine(item: BinaryItem, path: string): string {
  const { source } = item;
  return jsonLine({
    image_path: path,
    classification_annotations: classifications(item),
    bounding_box_annotations: item.boxes.map(boxAnnotation),
    timestamp: isoMicros(item.at),
    binary_data_id: item.id,
    organization_id: source.organizationId,
    location_id: source.locationId,
    robot_id: source.machineId,
    part_id: source.partId,
    component_name: source.componentName,
    component_type: source.componentType,
    method_name: source.method,
    mime_type: item.mimeType,
    file_name: item.fileName,
    tags: getUserTags(item),
  });
}

/**
 * Returns the labels for the whole image, including its tags, because training treats tags as
 * classifications.
 */
function classifications(item: BinaryItem): readonly object[] {
  const classified = new Set(item.classifications.map(({ label }) => label));
  const tags = getUserTags(item).filter((tag) => !classified.has(tag));
  return [
    ...tags.map((tag) => ({ annotation_label: tag })),
    ...item.classifications.map(({ label, confidence }) => ({
      annotation_label: label,
      ...(confidence !== undefined && { confidence }),
    })),
  ];
}

function boxAnnotation({ id, label, confidence, xMin, xMax, yMin, yMax }: BoundingBox): object {
  return {
    id,
    annotation_label: label,
    x_min_normalized: xMin,
    x_max_normalized: xMax,
    y_min_normalized: yMin,
    y_max_normalized: yMax,
    ...(confidence !== undefined && { confidence }),
  };
}
