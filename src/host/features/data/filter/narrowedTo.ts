import type { OrganizationId } from '../../../../core/model/ids';
import type { BrowsableTarget } from '../../../../manifest/commands';
import type { DataFilter } from '../../../../shared/data/dataFilter';

/**
 * Returns a filter that is further restricted to a resource: one more location, or another machine,
 * part, or dataset.
 * @param owner organization that owns the resource's data; it is added to the organizations of the
 *   filter.
 */
export function narrowedTo(
  filter: DataFilter,
  target: BrowsableTarget,
  owner: OrganizationId,
): DataFilter {
  const named = { ...filter, organizations: withOne(filter.organizations, owner) };
  switch (target.kind) {
    case 'organization':
      return named;
    case 'location':
      return { ...named, locations: withOne(filter.locations, target.locationId) };
    case 'machine':
      return { ...named, machine: target.machineId, part: '' };
    case 'part':
      return { ...named, machine: target.machineId, part: target.partId };
    case 'dataset':
      return { ...named, dataset: target.datasetId };
  }
}

function withOne(values: readonly string[], value: string): readonly string[] {
  return values.includes(value) ? values : [...values, value];
}
