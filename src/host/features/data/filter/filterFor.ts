import type { BrowsableTarget } from '../../../../manifest/commands';
import { type DataFilter, everyData } from '../../../../shared/data/dataFilter';

/** The filter with which the data of a resource is opened. */
export function filterFor(target: BrowsableTarget): DataFilter {
  const filter: DataFilter = { ...everyData, organizations: [target.organizationId] };
  switch (target.kind) {
    case 'organization':
      return filter;
    case 'location':
      return { ...filter, locations: [target.locationId] };
    case 'machine':
      return { ...filter, machine: target.machineId };
    case 'part':
      return { ...filter, machine: target.machineId, part: target.partId };
    case 'dataset':
      return { ...filter, dataset: target.datasetId };
  }
}
