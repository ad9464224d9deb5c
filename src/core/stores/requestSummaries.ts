import { FleetError } from '../api/errors';
import type { FleetClients } from '../api/fleetClients';
import type { Machine, PartSummary } from '../model/entities';
import {
  type LocationId,
  type MachineId,
  machineId,
  type OrganizationId,
  partId,
} from '../model/ids';
import type { MachineSummary as WireMachineSummary } from '../../gen/viam/app/v1/machine_summary_pb';

/** Summary of a machine, which the service provides without reading configs. */
export interface MachineSummary {
  readonly parts: readonly Pick<PartSummary, 'id' | 'name'>[];
  /** IDs of the fragments that the configs of the parts import themselves. */
  readonly fragmentIds: readonly string[];
}

/** Machine to summarize. */
export type SummarizedMachine = Pick<Machine, 'id' | 'locationId'>;

/** Receives summaries as soon as they are available. */
export type OnSummaries = (summaries: ReadonlyMap<MachineId, MachineSummary>) => void;

/**
 * Maximum number of machines that callers read individually even if the service has summaries.
 * Concurrent calls for so few machines take no longer than one call for all machines of their
 * locations, and transfer less.
 */
const MAX_INDIVIDUAL = 8;

/**
 * Number of machines to request in one call, unless a single location contains more of them. More
 * machines would delay the first result.
 */
const BATCH_MACHINES = 10_000;

/** Errors that individual calls would have, too. */
const GENERAL: ReadonlySet<FleetError['kind']> = new Set([
  'unavailable',
  'unauthenticated',
  'canceled',
]);

/** Result of requesting summaries. */
interface SummaryAnswer {
  /** Machines without a summary. */
  readonly left: readonly SummarizedMachine[];
  /** False if the service doesn't support the call. */
  readonly isSupported: boolean;
}

/**
 * Requests summaries of machines by location, and reports each response. Requests nothing for a few
 * machines.
 *
 * @throws FleetError if the service can't be reached
 */
export async function requestSummaries(
  { app }: FleetClients,
  organizationId: OrganizationId,
  machines: readonly SummarizedMachine[],
  onRead: OnSummaries,
  signal: AbortSignal,
): Promise<SummaryAnswer> {
  const left = new Map(machines.map((machine) => [machine.id, machine]));
  for (const locationIds of machines.length > MAX_INDIVIDUAL ? toBatches(machines) : []) {
    try {
      const answer = await app.listMachineSummaries({ organizationId, locationIds }, { signal });
      const read = new Map<MachineId, MachineSummary>();
      for (const wire of answer.locationSummaries.flatMap((one) => one.machineSummaries)) {
        const id = machineId(wire.machineId);
        if (left.delete(id)) read.set(id, summaryFromWire(wire));
      }
      if (read.size > 0) onRead(read);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof FleetError) || GENERAL.has(error.kind)) throw error;
      if (error.kind === 'unsupported') return { left: [...left.values()], isSupported: false };
    }
  }
  return { left: [...left.values()], isSupported: true };
}

/** Distributes the locations of the machines over calls. */
function toBatches(machines: readonly SummarizedMachine[]): readonly LocationId[][] {
  const batches: LocationId[][] = [];
  let size = BATCH_MACHINES;
  for (const [location, { length }] of Map.groupBy(machines, ({ locationId }) => locationId)) {
    if (size + length > BATCH_MACHINES) {
      batches.push([]);
      size = 0;
    }
    batches.at(-1)?.push(location);
    size += length;
  }
  return batches;
}

function summaryFromWire({ partSummaries }: WireMachineSummary): MachineSummary {
  const fragmentIds = partSummaries.flatMap(({ fragments }) => fragments.map(({ id }) => id));
  return {
    parts: partSummaries.map((part) => ({ id: partId(part.partId), name: part.partName })),
    fragmentIds: [...new Set(fragmentIds)],
  };
}
