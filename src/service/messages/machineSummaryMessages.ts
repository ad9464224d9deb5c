import { create } from '@bufbuild/protobuf';
import {
  type LocationSummary,
  LocationSummarySchema,
  type MachineSummary,
  MachineSummarySchema,
} from '../../gen/viam/app/v1/machine_summary_pb';
import type { LocationWithCounts } from '../store/locations';
import type { ImportedFragment, MachineInSummary, PartInSummary } from '../store/machineSummaries';
import { type Micros, optionalTimestamp } from '../store/micros';
import { getOnlineState, hostLabel } from './machineMessages';

/** Returns the wire format of a location with the summaries of its machines. */
export function locationSummaryMessage(
  { id, name }: LocationWithCounts,
  machineSummaries: MachineSummary[],
): LocationSummary {
  return create(LocationSummarySchema, { locationId: id, locationName: name, machineSummaries });
}

/**
 * Returns the wire format of the summary of a machine.
 * @param imports imported fragments by the ID of the part
 */
export function machineSummaryMessage(
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
