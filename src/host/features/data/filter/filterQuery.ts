import type { LocationId, OrganizationId } from '../../../../core/model/ids';
import { readingsQuery, type Since } from '../../../../core/query/readingsQuery';
import type { DataFilter, DataInterval, FilterField } from '../../../../shared/data/dataFilter';
import { tagCondition } from './toCaptureFilter';
import type { BrowsableTarget } from '../../../../manifest/commandArguments';
import type { CaptureBrowse } from '../../../../core/data/captureBrowse';
import type { CaptureFilter } from '../../../../core/model/captureFilter';
import type { BinaryDataStore } from '../../../../core/stores/binaryDataStore';
import type { CompletedField, Completions } from '../../../../shared/data/filterMessages';
import type { Applied } from '../dataSession';

/** Query for a filter's matches. */
export interface FilterQuery {
  readonly text: string;
  /** Fields of the filter that the query can't express, because readings have no such column. */
  readonly inexpressible: readonly FilterField[];
}

/**
 * Returns the SQL query for the readings that match a filter.
 * @param locations the filter's locations, including nested ones
 * @param formatNote returns the comment above the query that lists unsupported fields
 */
export function filterQuery(
  filter: DataFilter,
  locations: readonly LocationId[],
  formatNote: (inexpressible: readonly FilterField[]) => string,
): FilterQuery {
  const { machine, part, componentName, componentType, method } = filter;
  const inexpressible = listInexpressibleFields(filter);
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
  const notes = inexpressible.length === 0 ? [] : [formatNote(inexpressible)];
  return { text: readingsQuery(selection, notes), inexpressible };
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
function listInexpressibleFields(filter: DataFilter): readonly FilterField[] {
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

/** Maximum number of suggestions. Users don't read more. */
const MAX_VALUES = 50;

/**
 * Suggests values that occur in a filter's matches. Reads the matches once each time a filter is
 * applied.
 */
export class FilterCompletions {
  private of: CaptureBrowse | undefined;
  private readonly known = new Map<CompletedField, Promise<readonly string[]>>();

  /**
   * Returns the values that contain the text, ignoring case. Values that start with the text come
   * first. Throws `FleetError`.
   */
  async complete(
    { browse, stores }: Pick<Applied, 'browse' | 'stores'>,
    field: CompletedField,
    text: string,
  ): Promise<Completions> {
    if (this.of !== browse) {
      this.of = browse;
      this.known.clear();
    }
    const values = await this.getValues(stores.binaryData, browse, field);
    const searchText = text.trim().toLowerCase();
    const found = values.flatMap((value) => {
      const at = value.toLowerCase().indexOf(searchText);
      return at < 0 ? [] : [{ value, isStart: at === 0 }];
    });
    const sorted = [...found.filter((one) => one.isStart), ...found.filter((one) => !one.isStart)];
    return {
      values: sorted.slice(0, MAX_VALUES).map(({ value }) => value),
      more: sorted.length > MAX_VALUES,
    };
  }

  private getValues(
    store: BinaryDataStore,
    browse: CaptureBrowse,
    field: CompletedField,
  ): Promise<readonly string[]> {
    const known = this.known.get(field);
    if (known) return known;
    // Not aborted with the filter, so that the user gets suggestions even while another filter is
    // being applied.
    const pending = read(store, browse.filter, field);
    this.known.set(field, pending);
    pending.catch(() => this.known.delete(field));
    return pending;
  }
}

/**
 * Reads the values for a field. Excludes the field's own value from the filter, to suggest
 * alternatives.
 */
async function read(
  store: BinaryDataStore,
  filter: CaptureFilter,
  field: CompletedField,
): Promise<readonly string[]> {
  const values =
    field === 'tags'
      ? await store.listTags({ ...filter, tags: undefined })
      : await store.listLabels({ ...filter, labels: [] });
  return values.toSorted((one, other) => one.localeCompare(other));
}
