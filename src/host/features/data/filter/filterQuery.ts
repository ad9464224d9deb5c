import type { LocationId, OrganizationId } from '../../../../core/model/ids';
import { readingsQuery, type Since } from '../../../../core/query/readingsQuery';
import type { DataFilter, DataInterval, FilterField } from '../../../../shared/data/dataFilter';
import { tagCondition } from './toCaptureFilter';
import type { BrowsableTarget } from '../../../../manifest/commandArguments';

/** Query for a filter's matches. */
export interface FilterQuery {
  readonly text: string;
  /** Fields of the filter that the query can't express, because readings have no such column. */
  readonly unsaid: readonly FilterField[];
}

/**
 * Returns the SQL query for the readings that match a filter.
 * @param locations the filter's locations, including nested ones
 * @param formatNote returns the comment above the query that lists unsupported fields
 */
export function filterQuery(
  filter: DataFilter,
  locations: readonly LocationId[],
  formatNote: (unsaid: readonly FilterField[]) => string,
): FilterQuery {
  const { machine, part, componentName, componentType, method } = filter;
  const unsaid = unsaidFields(filter);
  const selection = {
    locations,
    machines: nonEmpty(machine),
    parts: nonEmpty(part),
    componentName,
    componentType,
    method,
    tags: tagCondition(filter),
    ...toTimeBounds(filter.interval),
  };
  const notes = unsaid.length === 0 ? [] : [formatNote(unsaid)];
  return { text: readingsQuery(selection, notes), unsaid };
}

function nonEmpty(text: string): readonly string[] {
  return text === '' ? [] : [text];
}

function toTimeBounds(interval: DataInterval): { since?: Since; before?: number | undefined } {
  switch (interval.kind) {
    case 'any':
      return {};
    case 'last':
      return { since: { minutesBack: interval.minutes } };
    case 'between': {
      const { start, end } = interval;
      return { ...(start !== undefined && { since: { at: start } }), before: end };
    }
  }
}

/**
 * Returns the filter fields that have no column: names of fleet resources, and fields of images and
 * files.
 */
function unsaidFields(filter: DataFilter): readonly FilterField[] {
  const { machineName, partName, mimeTypes, labels, dataset } = filter;
  return [
    ...(machineName === '' ? [] : (['machineName'] as const)),
    ...(partName === '' ? [] : (['partName'] as const)),
    ...(mimeTypes.length === 0 ? [] : (['mimeType'] as const)),
    ...(labels.length === 0 ? [] : (['labels'] as const)),
    ...(dataset === '' ? [] : (['dataset'] as const)),
  ];
}

/**
 * Returns a filter that is further restricted to a resource: one more location, or another machine,
 * part, or dataset.
 * @param owner organization that owns the resource's data; it is added to the filter's
 *   organizations.
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
