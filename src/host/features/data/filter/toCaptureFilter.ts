import type { CaptureFilter, TagCondition } from '../../../../core/model/captureFilter';
import {
  datasetId,
  locationId,
  type LocationId,
  machineId,
  organizationId,
  partId,
} from '../../../../core/model/ids';
import { MICROS_PER_MILLISECOND } from '../../../../core/model/timestamp';
import type { DataFilter, DataInterval } from '../../../../shared/data/dataFilter';
import { listDescendants } from '../../../../core/model/locationTree';
import type { FleetStores } from '../../../../core/stores/fleetStores';

const MILLISECONDS_PER_MINUTE = 60_000;

/**
 * Converts a panel's filter to a capture filter.
 * @param now reference for relative times, in milliseconds since 1970.
 * @param locations the filter's locations, including nested ones.
 */
export function toCaptureFilter(
  filter: DataFilter,
  now: number,
  locations: readonly LocationId[] = filter.locations.map(locationId),
): CaptureFilter {
  return {
    organizationIds: filter.organizations.map(organizationId),
    locationIds: locations,
    mimeTypes: filter.mimeTypes,
    labels: filter.labels,
    ...(filter.machine && { machineId: machineId(filter.machine) }),
    ...(filter.part && { partId: partId(filter.part) }),
    ...(filter.dataset && { datasetId: datasetId(filter.dataset) }),
    machineName: filter.machineName,
    partName: filter.partName,
    componentName: filter.componentName,
    componentType: filter.componentType,
    method: filter.method,
    tags: tagCondition(filter),
    ...toTimeRange(filter.interval, now),
  };
}

/** Returns a filter's tag condition; undefined if there is none. */
export function tagCondition({ tagsMode, tags }: DataFilter): TagCondition | undefined {
  switch (tagsMode) {
    case 'any':
      return undefined;
    case 'anyOf':
      return tags.length === 0 ? undefined : { kind: 'anyOf', tags };
    case 'tagged':
    case 'untagged':
      return { kind: tagsMode };
  }
}

function toTimeRange(interval: DataInterval, now: number): Pick<CaptureFilter, 'start' | 'end'> {
  switch (interval.kind) {
    case 'any':
      return {};
    case 'last':
      return {
        start: (now - interval.minutes * MILLISECONDS_PER_MINUTE) * MICROS_PER_MILLISECOND,
      };
    case 'between': {
      const { start, end } = interval;
      return {
        ...(start !== undefined && { start: start * MICROS_PER_MILLISECOND }),
        ...(end !== undefined && { end: end * MICROS_PER_MILLISECOND }),
      };
    }
  }
}

/**
 * Returns the locations of a filter and all locations nested in them, because the wire protocol
 * filters only by the single location that captured an item (spec part 1, Filter). Omits the nested
 * locations of an organization whose locations can't be read.
 */
export async function locationsInside(
  { locations }: Pick<FleetStores, 'locations'>,
  filter: Pick<DataFilter, 'organizations' | 'locations'>,
): Promise<readonly LocationId[]> {
  const chosen = filter.locations.map(locationId);
  if (chosen.length === 0) return [];
  const lists = await Promise.all(
    filter.organizations.map((id) => locations.list(organizationId(id)).catch(() => [])),
  );
  const all = lists.flat();
  const inside = chosen.flatMap((id) => listDescendants(id, all).map((location) => location.id));
  return [...new Set([...chosen, ...inside])];
}
