import { setTimeout as sleep } from 'node:timers/promises';
import type { BinaryItem } from '../../src/core/model/binaryItem';
import { everyCapture } from '../../src/core/model/captureFilter';
import { type BinaryDataId, binaryDataId, organizationId } from '../../src/core/model/ids';
import type { PartTarget } from '../../src/core/model/resourceTarget';
import type { FleetStores } from '../../src/core/stores/fleetStores';
import { type OpenTransport, signedInTransport } from '../../src/simulate/fleet/fleetMachines';
import { PartUploads } from '../../src/simulate/machines/partUploads';

const CAMERA = {
  componentType: 'rdk:component:camera',
  componentName: 'cam',
  methodName: 'ReadImage',
};

/** A fleet in which tests can create parts. */
export interface PartFleet {
  readonly key: { readonly id: string; readonly secret: string };
  readonly organizationId: string;
  wire: OpenTransport;
}

export interface Capture {
  /** Time of capture in seconds since 1970. */
  readonly second?: number;
  readonly bytes?: Uint8Array;
  readonly fileName?: string;
  readonly fileExtension?: string;
  readonly tags?: readonly string[];
  /** Component type of items without a name; the default is a camera. */
  readonly componentType?: string;
}

/** A part of a new machine that captures the data a test specifies. */
export class CapturingPart {
  private constructor(
    private readonly stores: FleetStores,
    private readonly uploads: PartUploads,
    readonly ids: Pick<PartTarget, 'organizationId' | 'locationId' | 'machineId' | 'partId'>,
  ) {}

  /** Creates the part with `stores`, which must belong to a connection to the same fleet. */
  static async create(fleet: PartFleet, stores: FleetStores): Promise<CapturingPart> {
    const organization = organizationId(fleet.organizationId);
    const location = await stores.locations.create(organization, 'Hall', undefined);
    const machineId = await stores.machines.create(location.id, 'rover');
    const [part] = await stores.parts.list(machineId);
    if (!part) throw new Error('a machine has a part');
    const { id: entity, secret: payload } = fleet.key;
    const open: OpenTransport = (interceptors) => fleet.wire(interceptors);
    const transport = await signedInTransport(open, { type: 'api-key', entity, payload });
    const ids = {
      organizationId: organization,
      locationId: location.id,
      machineId,
      partId: part.id,
    };
    return new CapturingPart(stores, PartUploads.over(transport, part.id), ids);
  }

  /** Captures an item of the camera or, if a name is specified, a file. */
  async capture(capture: Capture = {}): Promise<BinaryDataId> {
    const { second = 0, bytes = Buffer.from('x'), fileName, fileExtension = '.jpg' } = capture;
    const content = { at: new Date(second * 1_000), bytes, fileExtension, mimeType: '' };
    const { tags = [], componentType = CAMERA.componentType } = capture;
    const id =
      fileName === undefined
        ? await this.uploads.stream({ ...CAMERA, componentType }, content, tags)
        : await this.uploads.file(CAMERA, fileName, content, tags);
    return binaryDataId(id);
  }

  /** Captures a number of items, one per second, with ten concurrent uploads. */
  async captureMany(count: number, capture: Capture = {}): Promise<readonly BinaryDataId[]> {
    const ids: BinaryDataId[] = [];
    for (let first = 0; first < count; first += 10) {
      const seconds = Array.from({ length: Math.min(10, count - first) }, (_, n) => first + n);
      ids.push(
        ...(await Promise.all(seconds.map((second) => this.capture({ second, ...capture })))),
      );
      await sleep(0);
    }
    return ids;
  }

  /** Returns everything that the part has captured, oldest first, as stored in the service. */
  async items(): Promise<readonly BinaryItem[]> {
    const filter = { ...everyCapture, partId: this.ids.partId };
    const order = 'oldestFirst';
    const { items } = await this.stores.binaryData.page({ filter, order, limit: 10_000 });
    return items;
  }
}
