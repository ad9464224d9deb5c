import { create, type JsonObject } from '@bufbuild/protobuf';
import {
  type CaptureInterval,
  type CaptureMetadata,
  CaptureMetadataSchema,
  type DeleteTabularFilter,
  type ExportTabularDataResponse,
  ExportTabularDataResponseSchema,
  type Filter,
  FilterSchema,
} from '../../gen/viam/app/data/v1/data_pb';
import { linesOf } from '../store/data/lines';
import type { SeriesFilter } from '../store/data/readingsFilter';
import type { ReadingRow, ReadingSeriesRow } from '../store/data/readingsSchema';
import { type Micros, microsFromTimestamp, timestampFromMicros } from '../store/micros';
import { binaryFilterOf, componentColumn, methodParametersOf } from './dataMessages';
import { parametersOfLines } from './methodParameters';

/** What captured the readings of a series, in the wire's form. */
export function captureMetadataMessage(series: ReadingSeriesRow): CaptureMetadata {
  return create(CaptureMetadataSchema, {
    organizationId: series.organization_id,
    locationId: series.location_id,
    robotName: series.robot_name,
    robotId: series.robot_id,
    partName: series.part_name,
    partId: series.part_id,
    componentType: series.component_type,
    componentName: series.component_name,
    methodName: series.method_name,
    methodParameters: methodParametersOf(series.method_parameters),
    tags: tagsOf(series),
  });
}

/** The wire form of a reading whose series is at an index of the answer's metadata. */
export function tabularDataMessage(row: ReadingRow, metadataIndex: number) {
  return {
    data: payloadOf(row),
    metadataIndex,
    timeRequested: timestampFromMicros(row.requested_at),
    timeReceived: timestampFromMicros(row.received_at),
  };
}

/** The wire form of a reading that is exported. */
export function exportMessage(
  row: ReadingRow,
  series: ReadingSeriesRow,
): ExportTabularDataResponse {
  return create(ExportTabularDataResponseSchema, {
    partId: series.part_id,
    resourceName: series.component_name,
    resourceSubtype: series.component_type,
    methodName: series.method_name,
    timeCaptured: timestampFromMicros(row.requested_at),
    organizationId: series.organization_id,
    locationId: series.location_id,
    robotName: series.robot_name,
    robotId: series.robot_id,
    partName: series.part_name,
    methodParameters: parametersOfLines(linesOf(series.parameters)),
    tags: tagsOf(series),
    payload: payloadOf(row),
  });
}

/** What was captured: readings of sensors are under `readings`. */
export function payloadOf({ payload }: ReadingRow): JsonObject {
  return JSON.parse(payload) as JsonObject;
}

function tagsOf(series: ReadingSeriesRow): string[] {
  return linesOf(series.tags).map((line) => JSON.parse(line) as string);
}

/** What is told of a series by a filter of the wire. */
export function seriesConditionsOf(
  filter: Filter | undefined,
): Pick<SeriesFilter, 'columns' | 'tags'> {
  const { columns, tags } = binaryFilterOf(filter);
  return {
    columns: columns.flatMap(({ column, anyOf }) =>
      column === 'mime_type' ? [] : [{ column, anyOf }],
    ),
    tags,
  };
}

/** Whether a filter asks for what only binary items have, so that it selects no reading. */
export function asksForBinaryData(filter: Filter | undefined): boolean {
  const { mimeType = [], bboxLabels = [], datasetId = '' } = filter ?? {};
  return mimeType.length + bboxLabels.length > 0 || datasetId !== '';
}

/** The series of an organization that a deletion selects. */
export function deletionConditionsOf(
  organizationId: string,
  filter: DeleteTabularFilter | undefined,
): Pick<SeriesFilter, 'columns' | 'tags'> {
  return seriesConditionsOf(
    create(FilterSchema, {
      locationIds: filter?.locationIds ?? [],
      robotId: filter?.robotId ?? '',
      partId: filter?.partId ?? '',
      componentType: filter?.componentType ?? '',
      componentName: filter?.componentName ?? '',
      method: filter?.method ?? '',
      ...(filter?.tagsFilter && { tagsFilter: filter.tagsFilter }),
      organizationIds: [organizationId],
    }),
  );
}

/** The readings of one resource of a part, by one method. */
export function resourceConditionsOf(request: {
  partId: string;
  resourceName: string;
  resourceSubtype: string;
  methodName: string;
}): Pick<SeriesFilter, 'columns'> {
  return {
    columns: [
      { column: 'part_id', anyOf: [request.partId] },
      { column: 'component_name', anyOf: [request.resourceName] },
      { column: 'method_name', anyOf: [request.methodName] },
      componentColumn(request.resourceSubtype),
    ],
  };
}

/** The first moment of an interval of capture, and the first that is too late. */
export function timesOf(interval: CaptureInterval | undefined): {
  start: Micros | undefined;
  end: Micros | undefined;
} {
  return {
    start: interval?.start && microsFromTimestamp(interval.start),
    end: interval?.end && microsFromTimestamp(interval.end),
  };
}
