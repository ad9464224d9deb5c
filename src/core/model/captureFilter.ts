import type { DatasetId, LocationId, MachineId, OrganizationId, PartId } from './ids';

/** Selection of data by tags. */
export type TagCondition =
  | { readonly kind: 'anyOf'; readonly tags: readonly string[] }
  | { readonly kind: 'tagged' | 'untagged' };

/**
 * Filter for captured data (spec part 1, Filter). An item must match every field that is set; for a
 * list, it must match one of the values. Absent or empty fields match everything.
 */
export interface CaptureFilter {
  readonly organizationIds: readonly OrganizationId[];
  readonly locationIds: readonly LocationId[];
  readonly machineId?: MachineId | undefined;
  readonly machineName?: string | undefined;
  readonly partId?: PartId | undefined;
  readonly partName?: string | undefined;
  readonly componentName?: string | undefined;
  /** Component type, such as `rdk:component:camera`, or the type name without its namespace. */
  readonly componentType?: string | undefined;
  readonly method?: string | undefined;
  readonly mimeTypes: readonly string[];
  /** Start of the time range of captures, in microseconds since 1970. */
  readonly start?: number | undefined;
  /** End of the time range, exclusive. */
  readonly end?: number | undefined;
  readonly tags?: TagCondition | undefined;
  /** Labels of bounding boxes. */
  readonly labels: readonly string[];
  readonly datasetId?: DatasetId | undefined;
}

/** Returns a filter for the items of a dataset. */
export function datasetFilter(organization: OrganizationId, dataset: DatasetId): CaptureFilter {
  return { ...everyCapture, organizationIds: [organization], datasetId: dataset };
}

/** Filter for all data that the key can read. */
export const everyCapture: CaptureFilter = {
  organizationIds: [],
  locationIds: [],
  mimeTypes: [],
  labels: [],
};
