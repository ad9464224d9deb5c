import {
  binaryDataId,
  organizationId,
  type OrganizationId,
} from '../../../../../../src/core/model/ids';
import type { BulkTarget } from '../../../../../../src/core/data/actions/bulkAction';
import type { BinaryItem } from '../../../../../../src/core/model/binaryItem';
import type { BinaryDataStore } from '../../../../../../src/core/stores/binaryDataStore';
import type { FleetStores } from '../../../../../../src/core/stores/fleetStores';
import {
  type ModelVersion,
  TrialSession,
} from '../../../../../../src/host/features/data/trials/trialSession';
import {
  PackageService,
  PackageType,
} from '../../../../../../src/gen/viam/app/packages/v1/packages_pb';
import { signedInTransport } from '../../../../../../src/simulate/fleet/fleetMachines';
import { Canvas } from '../../../../../../src/simulate/images/canvas';
import { encodeImage } from '../../../../../../src/simulate/images/encodeImage';
import { PartUploads } from '../../../../../../src/simulate/machines/partUploads';
import { uploadPackage } from '../../../../../contract/packageFixture';
import { bundledProgram } from '../../../../../support/bundledProgram';
import { type HttpFleet, openHttpFleet } from '../../../../../support/httpFleet';
import { withService } from '../../../../../support/serviceClients';
import { untrainedModel } from '../../../../../support/untrainedModel';

export const LABELS = ['damaged', 'intact'];
export const MODEL = 'carton-check 1.0.0';
const NOON = Date.UTC(2026, 10, 21, 12);
const CAMERA = {
  componentType: 'rdk:component:camera',
  componentName: 'camera',
  methodName: 'GetImages',
};
const PNG = new Uint8Array(encodeImage(new Canvas(24, 18), 'png'));

/** Returns a target that consists of these items. */
export function toItemTarget(items: readonly BinaryItem[]): BulkTarget {
  return { kind: 'items', items };
}

/** The real service with a model and images on which to try it. */
export class TrialFleet implements AsyncDisposable {
  /** A session with stores whose calls a test can replace. */
  readonly session: { readonly stores: FleetStores & { binaryData: BinaryDataStore } };
  readonly organization: OrganizationId;
  private second = 0;

  private constructor(
    readonly fleet: HttpFleet,
    private readonly uploads: PartUploads,
    readonly program: string,
  ) {
    this.organization = organizationId(fleet.organizationId);
    const { stores } = fleet.session;
    const binaryData = Object.create(stores.binaryData) as BinaryDataStore;
    this.session = {
      stores: Object.create(stores, { binaryData: { value: binaryData } }) as never,
    };
  }

  static async open(): Promise<TrialFleet> {
    const fleet = await openHttpFleet();
    const { stores } = fleet.session;
    const organization = organizationId(fleet.organizationId);
    const hall = await stores.locations.create(organization, 'Hall', undefined);
    const machine = await stores.machines.create(hall.id, 'arm-1');
    const [part] = await stores.parts.list(machine);
    const { id: entity, secret: payload } = fleet.key;
    const transport = await signedInTransport((interceptors) => fleet.wire(interceptors), {
      type: 'api-key',
      entity,
      payload,
    });
    const uploads = PartUploads.over(transport, part?.id ?? '');
    const opened = new TrialFleet(fleet, uploads, await bundledProgram('trainingProcess'));
    await opened.upload('carton-check', await untrainedModel(LABELS));
    return opened;
  }

  /** The store of images, whose methods a test can replace. */
  get images(): BinaryDataStore {
    return this.session.stores.binaryData;
  }

  /** Returns the current tags of each item. */
  async readTags(items: readonly BinaryItem[]): Promise<readonly (readonly string[])[]> {
    const now = await this.images.get(items.map(({ id }) => id));
    return items.map(({ id }) => now.find((item) => item.id === id)?.tags ?? []);
  }

  /** Uploads version 1.0.0 of a model. */
  async upload(name: string, archive: Uint8Array): Promise<void> {
    const { url, key, organizationId: owner } = this.fleet;
    const credentials = { url, apiKeyId: key.id, apiKey: key.secret };
    await withService(credentials, PackageService, (packages) =>
      uploadPackage(
        { packages, organizationId: owner },
        { name, version: '1.0.0', type: PackageType.ML_MODEL },
        [archive],
      ),
    );
  }

  async version(name: string): Promise<ModelVersion> {
    const { registry } = this.session.stores;
    const listed = await registry.list(this.organization, { fresh: true });
    const item = listed.find((one) => one.name === name);
    if (!item) throw new Error(name);
    return { item: await registry.get(item.id), version: '1.0.0' };
  }

  /**
   * Stores images.
   * @param bytes contents of each file; by default, a black image
   */
  async capture(
    count: number,
    tags: readonly string[] = [],
    bytes: Uint8Array = PNG,
  ): Promise<readonly BinaryItem[]> {
    const ids: string[] = [];
    for (let index = 0; index < count; index += 1) {
      this.second += 1;
      const at = new Date(NOON + this.second * 1_000);
      const content = { at, bytes, fileExtension: '.png', mimeType: 'image/png' };
      ids.push(await this.uploads.content(CAMERA, content, tags));
    }
    const items = await this.images.get(ids.map(binaryDataId));
    return ids.flatMap((id) => items.filter((item) => item.id === id));
  }

  openTrials(): TrialSession {
    const { session, program } = this;
    return new TrialSession({ session, program, focus: () => undefined });
  }

  /** Calls `before` before each download of an image, with the number of previous downloads. */
  beforeContents(before: (count: number) => void | Promise<void>): void {
    let count = 0;
    const { images } = this;
    const original = images.content.bind(images);
    images.content = async (...args) => {
      count += 1;
      await before(count - 1);
      return original(...args);
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.fleet.close();
  }
}
