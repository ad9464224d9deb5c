import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import type { Transport } from '@connectrpc/connect';
import { clientsOver, type FleetClients } from '../../src/core/api/fleetClients';
import { createInterceptedTransport } from '../../src/core/api/interceptedTransport';
import type { BoundingBox } from '../../src/core/model/binaryItem';
import { type BinaryDataId, binaryDataId } from '../../src/core/model/ids';
import { BinaryDataStore } from '../../src/core/stores/binaryDataStore';
import { DataType } from '../../src/gen/viam/app/datasync/v1/data_sync_pb';
import { connectedTransport } from './connectedTransport';
import { FaultyTransport } from './faultyTransport';
import type { MemoryFleet } from './memoryFleet';
import { silentLogger } from './silentLogger';

/**
 * An image in an in-memory fleet, with a store whose transport can fail, and with another user's
 * view of the image.
 */
export class AnnotatedImage {
  private constructor(
    readonly id: BinaryDataId,
    readonly store: BinaryDataStore,
    readonly faults: FaultyTransport,
    /** Another user's clients, whose transport doesn't fail. */
    readonly other: FleetClients,
  ) {}

  static async capture(fleet: MemoryFleet): Promise<AnnotatedImage> {
    const other = clientsOver(openTransport(fleet, (wire) => wire));
    const { location } = await other.app.createLocation({
      organizationId: fleet.organizationId,
      name: 'hall',
    });
    const locationId = location?.id ?? '';
    const { id: robotId } = await other.app.newRobot({ name: 'arm', location: locationId });
    const { parts } = await other.app.getRobotParts({ robotId });
    const time = timestampFromMs(1_000);
    const { binaryDataId: id } = await other.sync.dataCaptureUpload({
      metadata: {
        partId: parts[0]?.id ?? '',
        type: DataType.BINARY_SENSOR,
        fileExtension: '.png',
        componentType: 'rdk:component:camera',
        componentName: 'cam',
        methodName: 'GetImages',
      },
      sensorContents: [
        {
          metadata: { timeRequested: time, timeReceived: time },
          data: { case: 'binary', value: Buffer.from('x') },
        },
      ],
    });
    const faults = new FaultyTransport();
    const transport = openTransport(fleet, (wire) => faults.over(wire));
    const store = new BinaryDataStore(clientsOver(transport), () => Promise.resolve(undefined));
    return new AnnotatedImage(binaryDataId(id), store, faults, other);
  }

  /** Returns the boxes, sorted by label, as another user sees them. */
  async boxes(): Promise<readonly BoundingBox[]> {
    const { data } = await this.other.data.binaryDataByIDs({ binaryDataIds: [this.id] });
    return (data[0]?.metadata?.annotations?.bboxes ?? []).map((box) => ({
      id: box.id,
      label: box.label,
      confidence: box.confidence,
      xMin: box.xMinNormalized,
      yMin: box.yMinNormalized,
      xMax: box.xMaxNormalized,
      yMax: box.yMaxNormalized,
    }));
  }

  /**
   * Draws a box as another user.
   * @returns the ID of the box.
   */
  async draw({
    label,
    xMin,
    yMin,
    xMax,
    yMax,
    confidence,
  }: Omit<BoundingBox, 'id'>): Promise<string> {
    const { bboxId } = await this.other.data.addBoundingBoxToImageByID({
      binaryDataId: this.id,
      label,
      xMinNormalized: xMin,
      yMinNormalized: yMin,
      xMaxNormalized: xMax,
      yMaxNormalized: yMax,
      ...(confidence !== undefined && { confidence }),
    });
    return bboxId;
  }

  /** Removes a box as another user. */
  async erase(bboxId: string): Promise<void> {
    await this.other.data.removeBoundingBoxFromImageByID({ binaryDataId: this.id, bboxId });
  }
}

function openTransport(fleet: MemoryFleet, over: (wire: Transport) => Transport): Transport {
  const { transport } = createInterceptedTransport({
    baseUrl: fleet.baseUrl,
    openWire: (interceptors) => over(fleet.wire(interceptors)),
    readKey: () => Promise.resolve(fleet.key),
    logger: silentLogger,
    clock: fleet.clock,
    sleep: () => Promise.resolve(),
    random: () => 0,
  });
  return connectedTransport(transport, fleet.baseUrl);
}
