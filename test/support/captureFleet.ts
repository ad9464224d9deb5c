import { FleetSession } from '../../src/core/sessions/fleetSession';
import { toConnectionId } from '../../src/core/model/connection';
import { CapturingPart } from './capturingPart';
import { type MemoryFleet, openMemoryFleet } from './memoryFleet';

/** An in-memory fleet, a connection to it, and a part that captures data. */
export interface CaptureFleet {
  readonly fleet: MemoryFleet;
  readonly session: FleetSession;
  readonly part: CapturingPart;
  close(): Promise<void>;
}

export async function openCaptureFleet(): Promise<CaptureFleet> {
  const fleet = await openMemoryFleet();
  const { key, baseUrl } = fleet;
  const id = toConnectionId(key.id);
  const connection = { id, label: 'Test', baseUrl, keyId: key.id, kind: 'cloud' } as const;
  const session = new FleetSession(connection, fleet.open, () => Promise.resolve(key));
  const part = await CapturingPart.create(fleet, session.stores);
  return {
    fleet,
    session,
    part,
    close: async () => {
      session.dispose();
      await fleet.close();
    },
  };
}
