import { organizationId, type OrganizationId, type PartId } from '../../../../src/core/model/ids';
import type { FleetStores } from '../../../../src/core/stores/fleetStores';
import { signedInTransport } from '../../../../src/simulate/fleet/fleetMachines';
import { PartUploads } from '../../../../src/simulate/machines/partUploads';
import { type MemoryFleet, openMemoryFleet } from '../../../support/memoryFleet';
import { TestSessions } from '../../../support/testSessions';

export const NOON = Date.UTC(2026, 10, 21, 12);
const CAMERA = {
  componentType: 'rdk:component:camera',
  componentName: 'camera',
  methodName: 'GetImages',
};

/** A capture; the defaults are those of a camera, one second after the previous capture. */
export interface Capture {
  readonly extension: string;
  /** MIME type; if empty, it is derived from the extension. */
  readonly mimeType?: string;
  readonly tags?: readonly string[];
  readonly at?: number;
}

/** An in-memory fleet with one machine, to which tests add captures. */
export interface CapturesFleet {
  readonly fleet: MemoryFleet;
  readonly sessions: TestSessions;
  readonly stores: FleetStores;
  readonly organization: OrganizationId;
  readonly part: PartId;
  /**
   * Stores captures with ten bytes of content each.
   * @returns the IDs of the captures.
   */
  capture(captures: readonly Capture[]): Promise<readonly string[]>;
  close(): Promise<void>;
}

export async function openCapturesFleet(): Promise<CapturesFleet> {
  const fleet = await openMemoryFleet();
  const sessions = new TestSessions(fleet);
  const stores = sessions.stores();
  const organization = organizationId(fleet.organizationId);
  const hall = await stores.locations.create(organization, 'Hall', undefined);
  const machine = await stores.machines.create(hall.id, 'arm-1');
  const [part] = await stores.parts.list(machine);
  if (!part) throw new Error('The machine has no part.');
  const { id, secret } = fleet.key;
  const credentials = { type: 'api-key', entity: id, payload: secret } as const;
  const uploads = PartUploads.over(
    await signedInTransport((interceptors) => fleet.wire(interceptors), credentials),
    part.id,
  );
  let second = 0;
  return {
    fleet,
    sessions,
    stores,
    organization,
    part: part.id,
    capture: async (captures) => {
      const ids: string[] = [];
      for (const { extension, mimeType = '', tags = [], at } of captures) {
        second += 1;
        const content = {
          at: new Date(at ?? NOON + second * 1_000),
          bytes: new Uint8Array(10).fill(second),
          fileExtension: extension,
          mimeType,
        };
        ids.push(await uploads.content(CAMERA, content, tags));
      }
      return ids;
    },
    close: async () => {
      sessions.dispose();
      await fleet.close();
    },
  };
}
