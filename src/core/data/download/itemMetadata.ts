import type { BinaryItem } from '../../model/binaryItem';
import { isoMicros } from '../../model/micros';
import { getUserTags } from '../../model/itemTags';

/** Returns the metadata of an item as the text of the file next to its content. */
export function formatItemMetadata(item: BinaryItem): string {
  const { id, source, at, receivedAt, fileName, fileExtension, mimeType, sizeBytes } = item;
  const known = {
    id,
    capturedAt: isoMicros(at),
    ...(receivedAt !== undefined && { receivedAt: isoMicros(receivedAt) }),
    ...{ fileName, fileExtension, mimeType, sizeBytes, source },
    tags: getUserTags(item),
    ...{ datasetIds: item.datasetIds, boxes: item.boxes, classifications: item.classifications },
  };
  return `${JSON.stringify(known, undefined, 2)}\n`;
}

/** Returns the item ID in a metadata file; undefined if this product didn't create the file. */
export function parseMetadataItemId(text: string): string | undefined {
  try {
    const known: unknown = JSON.parse(text);
    if (typeof known !== 'object' || known === null || !('id' in known)) return undefined;
    return typeof known.id === 'string' ? known.id : undefined;
  } catch {
    return undefined;
  }
}
