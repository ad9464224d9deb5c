import type { BinaryDataId } from '../../model/ids';
import type { BoundingBox } from '../../model/binaryItem';
import type { BinaryDataStore } from '../../stores/binaryDataStore';
import type { BoxContent } from './boxContent';

/**
 * Boxes of one image on the service, which can't change a box in place. Every method throws
 * `FleetError`.
 */
export interface ImageBoxes {
  read(): Promise<readonly BoundingBox[]>;
  /** @returns the ID of the new box. */
  add(content: BoxContent): Promise<string>;
  /** Throws `notFound` when there is no such box. */
  remove(boxId: string): Promise<void>;
}

export function createImageBoxes(store: () => BinaryDataStore, image: BinaryDataId): ImageBoxes {
  return {
    read: async () => (await store().get([image]))[0]?.boxes ?? [],
    add: (content) => store().addBox(image, content),
    remove: (boxId) => store().removeBox(image, boxId),
  };
}
