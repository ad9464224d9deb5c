import type { CallOptions, Client } from '@connectrpc/connect';
import type { DataService } from '../../gen/viam/app/data/v1/data_pb';
import type { LabeledBox } from '../images/hallScene';

/** Adds boxes to the objects in an image, one after another. */
export async function addBoxes(
  data: Client<typeof DataService>,
  binaryDataId: string,
  boxes: readonly LabeledBox[],
  options?: CallOptions,
): Promise<void> {
  for (const { label, xMin, yMin, xMax, yMax } of boxes) {
    await data.addBoundingBoxToImageByID(
      {
        binaryDataId,
        label,
        xMinNormalized: xMin,
        yMinNormalized: yMin,
        xMaxNormalized: xMax,
        yMaxNormalized: yMax,
      },
      options,
    );
  }
}
