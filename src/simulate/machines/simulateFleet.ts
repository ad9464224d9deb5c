import { createClient } from '@connectrpc/connect';
import { AppService } from '../../gen/viam/app/v1/app_pb';
import { fleetMachines, type OpenTransport, signedInTransport } from '../fleet/fleetMachines';
import { Random } from '../random';
import { type MachinePace, SimulatedMachine } from './simulatedMachine';

export interface SimulationOptions {
  open: OpenTransport;
  /** An API key that can read the machines' secrets in the organization. */
  key: { id: string; key: string };
  organizationId: string;
  /** Number of machines to run. If the organization has no machines, some are created. */
  machines: number;
  pace: MachinePace;
  seed: string;
  signal: AbortSignal;
  /** Receives sentences that describe the machines' activities. */
  report: (sentence: string) => void;
}

/**
 * Runs an organization's machines until the signal is aborted.
 * @returns the number of machines.
 * @throws ConnectError if the key is rejected; Error if the key doesn't have permission to read the
 *   machines' secrets.
 */
export async function simulateFleet(options: SimulationOptions): Promise<number> {
  const { open, key, organizationId, machines, pace, seed, signal, report } = options;
  const credentials = { type: 'api-key', entity: key.id, payload: key.key } as const;
  const app = createClient(AppService, await signedInTransport(open, credentials));
  const parts = await fleetMachines(app, organizationId, machines, { signal });
  const random = new Random(seed);
  await Promise.all(
    parts.map((part) =>
      new SimulatedMachine({
        open,
        part,
        pace,
        signal,
        report,
        random: random.of(part.name),
      }).run(),
    ),
  );
  return parts.length;
}
