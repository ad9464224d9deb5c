import {
  type ConnectionId,
  connectionId,
  locationId,
  machineId,
  organizationId,
  partId,
} from '../../../core/model/ids';
import type { PartTarget } from '../../../core/model/resourceTarget';
import { type Guarded, isListOf, isShape, isString, parsedAs } from '../../../shared/guards';

/** Parts in a log panel, all from one connection. */
export interface DescribedPanel {
  readonly connectionId: ConnectionId;
  readonly parts: readonly PartTarget[];
}

const isStoredPart = isShape({
  organization: isString,
  location: isString,
  machine: isString,
  machineName: isString,
  part: isString,
  name: isString,
});

const isStored = isShape({
  connection: isString,
  parts: isListOf(isStoredPart),
});
type StoredPanel = Guarded<typeof isStored>;

/** Serializes the parts in a log panel for its webview's state. */
export function describePanel(connection: ConnectionId, parts: readonly PartTarget[]): string {
  const stored: StoredPanel = {
    connection,
    parts: parts.map((target) => ({
      organization: target.organizationId,
      location: target.locationId,
      machine: target.machineId,
      machineName: target.machineName,
      part: target.partId,
      name: target.name,
    })),
  };
  return JSON.stringify(stored);
}

/** Parses serialized parts; undefined if invalid, for example from another version. */
export function describedPanel(description: string): DescribedPanel | undefined {
  const stored = parsedAs(description, isStored);
  if (!stored) return undefined;
  const connection = connectionId(stored.connection);
  const parts = stored.parts.map((one): PartTarget => ({
    kind: 'part',
    connectionId: connection,
    organizationId: organizationId(one.organization),
    locationId: locationId(one.location),
    machineId: machineId(one.machine),
    machineName: one.machineName,
    partId: partId(one.part),
    name: one.name,
  }));
  return { connectionId: connection, parts };
}
