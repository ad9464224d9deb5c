import type { MessageInitShape } from '@bufbuild/protobuf';
import type { DatasetId, LocationId, MachineId, OrganizationId, PartId } from './ids';
import type { FilterSchema } from '../../gen/viam/app/data/v1/data_pb';
import { microsToTimestamp } from './timestamp';

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

/** Returns a filter for the items in a dataset. */
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

/**
 * Numbers in the API contract's enum `TagsFilterType`, whose generated code is loaded only with the
 * first call.
 */
const TAGS_FILTER_TYPES = { anyOf: 1, tagged: 2, untagged: 3 } as const;

/** Converts a filter to its wire form. */
export function captureFilterToWire(filter: CaptureFilter): MessageInitShape<typeof FilterSchema> {
  const { start, end, tags } = filter;
  return {
    organizationIds: [...filter.organizationIds],
    locationIds: [...filter.locationIds],
    robotId: filter.machineId ?? '',
    robotName: filter.machineName ?? '',
    partId: filter.partId ?? '',
    partName: filter.partName ?? '',
    componentName: filter.componentName ?? '',
    componentType: filter.componentType ?? '',
    method: filter.method ?? '',
    mimeType: [...filter.mimeTypes],
    bboxLabels: [...filter.labels],
    datasetId: filter.datasetId ?? '',
    ...((start !== undefined || end !== undefined) && {
      interval: {
        ...(start !== undefined && { start: microsToTimestamp(start) }),
        ...(end !== undefined && { end: microsToTimestamp(end) }),
      },
    }),
    ...(tags && { tagsFilter: toTagsFilter(tags) }),
  };
}

function toTagsFilter(condition: TagCondition): { type: 1 | 2 | 3; tags: string[] } {
  const tags = condition.kind === 'anyOf' ? [...condition.tags] : [];
  return { type: TAGS_FILTER_TYPES[condition.kind], tags };
}

/**
 * Numbers in the API contract's enum `Order`, whose generated code is loaded only with the first
 * call.
 */
export const CAPTURE_ORDERS = { newestFirst: 1, oldestFirst: 2 } as const;

/** Order of captured data by capture time. */
export type CaptureOrder = keyof typeof CAPTURE_ORDERS;
