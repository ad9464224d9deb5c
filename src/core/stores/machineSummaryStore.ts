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

/** Summaries of machines. Caches them by machine. */
export class MachineSummaryStore {
  private readonly summaries = new Map<MachineId, MachineSummary>();
  /** Number of invalidations, to recognize a response that could be outdated. */
  private generation = 0;
  /** False if the service is known not to have summaries. */
  private isSupported = true;

  constructor(private readonly clients: FleetClients) {}

  /**
   * Reads summaries of machines with one call for up to 10,000 machines. Calls `onRead` with the
   * cached summaries, and then with each response.
   *
   * @param organization organization whose locations, or locations shared with it, contain the
   *   machines
   * @returns the other machines, which the caller must read individually: a few machines, or all if
   *   the service has no summaries
   * @throws FleetError if the service can't be reached
   */
  async read(
    organization: OrganizationId,
    machines: readonly SummarizedMachine[],
    onRead: (summaries: ReadonlyMap<MachineId, MachineSummary>) => void,
    signal: AbortSignal,
  ): Promise<readonly SummarizedMachine[]> {
    const known = new Map<MachineId, MachineSummary>();
    for (const { id } of machines) {
      const summary = this.summaries.get(id);
      if (summary) known.set(id, summary);
    }
    if (known.size > 0) onRead(known);
    const unknown = machines.filter(({ id }) => !known.has(id));
    const left = new Map(unknown.map((machine) => [machine.id, machine]));
    for (const locations of unknown.length > MAX_INDIVIDUAL ? toBatches(unknown) : []) {
      if (!this.isSupported) break;
      const read = await this.list(organization, locations, signal);
      const wanted = new Map([...read].filter(([id]) => left.delete(id)));
      if (wanted.size > 0) onRead(wanted);
    }
    return [...left.values()];
  }

  /** Clears the cached summaries of machines that have changed. */
  forgetMachines(machines: readonly MachineId[]): void {
    this.generation += 1;
    for (const id of machines) this.summaries.delete(id);
  }

  /** Clears all cached data. */
  clear(): void {
    this.generation += 1;
    this.summaries.clear();
    this.isSupported = true;
  }

  private async list(
    organizationId: OrganizationId,
    locationIds: LocationId[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<MachineId, MachineSummary>> {
    const { generation } = this;
    try {
      const answer = await this.clients.app.listMachineSummaries(
        { organizationId, locationIds },
        { signal },
      );
      const read = new Map(
        answer.locationSummaries
          .flatMap(({ machineSummaries }) => machineSummaries)
          .map((wire) => [machineId(wire.machineId), summaryFromWire(wire)]),
      );
      if (generation === this.generation) {
        for (const [id, summary] of read) this.summaries.set(id, summary);
      }
      return read;
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof FleetError) || GENERAL.has(error.kind)) throw error;
      if (error.kind === 'unsupported') this.isSupported = false;
      return new Map();
    }
  }
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
