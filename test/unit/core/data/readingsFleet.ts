import { organizationId, type OrganizationId, type PartId } from '../../../../src/core/model/ids';
import type { FleetStores } from '../../../../src/core/stores/fleetStores';
import { signedInTransport } from '../../../../src/simulate/fleet/fleetMachines';
import { type CapturedReading, PartUploads } from '../../../../src/simulate/machines/partUploads';
import { type MemoryFleet, openMemoryFleet } from '../../../support/memoryFleet';
import { TestSessions } from '../../../support/testSessions';

export const NOON = Date.UTC(2026, 10, 21, 12);

/** An in-memory fleet with one machine, to whose sensors tests add readings. */
export interface ReadingsFleet {
  readonly fleet: MemoryFleet;
  readonly stores: FleetStores;
  readonly organization: OrganizationId;
  readonly part: PartId;
  /** Stores payloads of a sensor, captured one second apart, starting at noon. */
  capture(
    payloads: readonly CapturedReading['payload'][],
    options?: { readonly component?: string; readonly from?: number; readonly tags?: string[] },
  ): Promise<void>;
  close(): Promise<void>;
}

export async function openReadingsFleet(): Promise<ReadingsFleet> {
  const fleet = await openMemoryFleet();
  const sessions = new TestSessions(fleet);
  const stores = sessions.stores();
  const organization = organizationId(fleet.organizationId);
  const hall = await stores.locations.create(organization, 'Hall', undefined);
  const machine = await stores.machines.create(hall.id, '=arm-1');
  const [part] = await stores.parts.list(machine);
  if (!part) throw new Error('The machine has no part.');
  const { id, secret } = fleet.key;
  const credentials = { type: 'api-key', entity: id, payload: secret } as const;
  const uploads = PartUploads.over(
    await signedInTransport((interceptors) => fleet.wire(interceptors), credentials),
    part.id,
  );
  return {
    fleet,
    stores,
    organization,
    part: part.id,
    capture: async (payloads, { component = 'mast', from = NOON, tags = [] } = {}) => {
      const source = { componentType: 'rdk:component:sensor', componentName: component };
      const readings = payloads.map((payload, index) => ({
        at: new Date(from + 1_000 * index),
        latencyMs: 5,
        payload,
      }));
      await uploads.readings({ ...source, methodName: 'Readings' }, readings, tags);
    },
    close: async () => {
      sessions.dispose();
      await fleet.close();
    },
  };
}
