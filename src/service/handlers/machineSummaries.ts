import type { ServiceImpl } from '@connectrpc/connect';
import { yieldToEventLoop } from '../../base/slices';
import type { AppService } from '../../gen/viam/app/v1/app_pb';
import {
  type LocationSummary,
  LocationSummarySchema,
  type MachineSummary,
  MachineSummarySchema,
} from '../../gen/viam/app/v1/machine_summary_pb';
import { grantedMachineIds } from '../auth/principal';
import { exhausted, invalid } from '../errors';
import type { LocationWithCounts } from '../store/locations';
import {
  type ImportedFragment,
  listImportedFragments,
  listSummarizedMachines,
  listSummarizedParts,
  type MachineInSummary,
  type PartInSummary,
} from '../store/machineSummaries';
import { getCaller, type HandlerDependencies } from './handlerSupport';
import { visibleLocations } from './locations';
import { create } from '@bufbuild/protobuf';
import { type Micros, optionalTimestamp } from '../store/micros';
import { getOnlineState, hostLabel } from '../messages/machineMessages';

type MachineSummaryOperations = Pick<ServiceImpl<typeof AppService>, 'listMachineSummaries'>;

/** Maximum number of machines in one response, which has no pages on the wire. */
const MAX_SUMMARIES = 100_000;
/** Number of machines whose parts are read and described in one step. */
const BATCH_MACHINES = 1_000;

/**
 * Handlers for summaries of machines. Two queries for each thousand machines read their parts and
 * fragments, without configs.
 */
export function machineSummaryHandlers({
  store,
  now,
}: HandlerDependencies): MachineSummaryOperations {
  return {
    async listMachineSummaries(request, context) {
      const { organizationId, fragmentIds, limit = 0 } = request;
      if (limit < 0) throw invalid('limit: must not be negative; use 0 for all machines');
      const principal = getCaller(context);
      const visible = await visibleLocations(store, principal, organizationId);
      const requestedIds = new Set(request.locationIds);
      const locations = visible.readable.filter(
        ({ id }) => requestedIds.size === 0 || requestedIds.has(id),
      );
      const covered = locations.filter((row) => visible.covers(row));
      const coveredIds = new Set(covered.map(({ id }) => id));
      const rows = await listSummarizedMachines(store, {
        locationIds: [...coveredIds],
        machineIds: grantedMachineIds(principal),
        fragmentIds,
      });
      const byLocation = groupByLocation(locations, rows);
      const machines = [...byLocation.values()].flat().slice(0, limit || undefined);
      if (machines.length > MAX_SUMMARIES) {
        throw exhausted(
          `the response would contain ${String(machines.length)} machines, more than the maximum of ${String(MAX_SUMMARIES)}: set limit, or list fewer location_ids`,
        );
      }
      const summaries = await summarize(organizationId, machines, context.signal);
      return {
        locationSummaries: [...byLocation].flatMap(([location, own]) => {
          const described = own.flatMap(({ id }) => summaries.get(id) ?? []);
          return described.length > 0 ? [locationSummaryMessage(location, described)] : [];
        }),
      };
    },
  };

  async function summarize(
    organizationId: string,
    machines: readonly MachineInSummary[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, MachineSummary>> {
    const summaries = new Map<string, MachineSummary>();
    for (let start = 0; start < machines.length; start += BATCH_MACHINES) {
      signal.throwIfAborted();
      const batch = machines.slice(start, start + BATCH_MACHINES);
      const ids = batch.map(({ id }) => id);
      const parts = await listSummarizedParts(store, ids);
      const imports = await listImportedFragments(store, organizationId, ids);
      const partsOf = Map.groupBy(parts, (part) => part.machine_id);
      const importsOf = Map.groupBy(imports, (row) => row.part_id);
      const present = now();
      for (const machine of batch) {
        const own = partsOf.get(machine.id) ?? [];
        summaries.set(machine.id, machineSummaryMessage(machine, own, importsOf, present));
      }
      await yieldToEventLoop();
    }
    return summaries;
  }
}

/** Groups machines by location, in the order of the locations. Ignores machines elsewhere. */
function groupByLocation(
  locations: readonly LocationWithCounts[],
  machines: readonly MachineInSummary[],
): Map<LocationWithCounts, readonly MachineInSummary[]> {
  // A machine in a readable location can also have its own role.
  const unique = new Map(machines.map((machine) => [machine.id, machine]));
  const grouped = Map.groupBy(unique.values(), (machine) => machine.location_id);
  return new Map(locations.map((location) => [location, grouped.get(location.id) ?? []]));
}

/** Returns the wire format of a location with the summaries of its machines. */
function locationSummaryMessage(
  { id, name }: LocationWithCounts,
  machineSummaries: MachineSummary[],
): LocationSummary {
  return create(LocationSummarySchema, { locationId: id, locationName: name, machineSummaries });
}

/**
 * Returns the wire format of the summary of a machine.
 * @param imports imported fragments by the ID of the part
 */
function machineSummaryMessage(
  machine: MachineInSummary,
  parts: readonly PartInSummary[],
  imports: ReadonlyMap<string, readonly ImportedFragment[]>,
  now: Micros,
): MachineSummary {
  return create(MachineSummarySchema, {
    machineId: machine.id,
    machineName: machine.name,
    partSummaries: parts.map((part) => {
      const lastAccess = optionalTimestamp(part.last_access);
      return {
        partId: part.id,
        partName: part.name,
        isMainPart: part.is_main === 1,
        dnsName: hostLabel(part),
        ...(lastAccess && { lastAccess, lastOnline: lastAccess }),
        ...getOnlineState(part.last_access, now),
        fragments: (imports.get(part.id) ?? []).map((fragment) => ({
          id: fragment.fragment_id,
          name: fragment.name ?? '',
        })),
      };
    }),
  });
}
