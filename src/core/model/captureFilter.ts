import type { DatasetId, LocationId, MachineId, OrganizationId, PartId } from './ids';

/** How data is selected by its tags. */
export type TagCondition =
  | { readonly kind: 'anyOf'; readonly tags: readonly string[] }
  | { readonly kind: 'tagged' | 'untagged' };

/**
 * Which captured data is meant (spec part 1, Filter): what matches everything that is set, and in a list
 * one of its values. What is absent or empty does not narrow.
 */
export interface CaptureFilter {
  readonly organizationIds: readonly OrganizationId[];
  readonly locationIds: readonly LocationId[];
  readonly machineId?: MachineId | undefined;
  readonly machineName?: string | undefined;
  readonly partId?: PartId | undefined;
  readonly partName?: string | undefined;
  readonly componentName?: string | undefined;
  /** Such as `rdk:component:camera`, or the bare type name. */
  readonly componentType?: string | undefined;
  readonly method?: string | undefined;
  readonly mimeTypes: readonly string[];
  /** The first moment of capture, in microseconds since 1970. */
  readonly start?: number | undefined;
  /** The first moment that is too late. */
  readonly end?: number | undefined;
  readonly tags?: TagCondition | undefined;
  /** Labels of boxes. */
  readonly labels: readonly string[];
  readonly datasetId?: DatasetId | undefined;
}

/** Selects what is in a dataset. */
export function datasetFilter(organization: OrganizationId, dataset: DatasetId): CaptureFilter {
  return { ...everyCapture, organizationIds: [organization], datasetId: dataset };
}

/** Selects everything that the key may read. */
export const everyCapture: CaptureFilter = {
  organizationIds: [],
  locationIds: [],
  mimeTypes: [],
  labels: [],
};
