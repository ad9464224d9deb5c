import type { MessageInitShape } from '@bufbuild/protobuf';
import type { FilterSchema } from '../../gen/viam/app/data/v1/data_pb';
import type { CaptureFilter, TagCondition } from './captureFilter';
import { microsToTimestamp } from './micros';

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
