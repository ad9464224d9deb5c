import {
  create,
  createRegistry,
  type JsonObject,
  type JsonValue,
  toJson,
} from '@bufbuild/protobuf';
import {
  type Any,
  anyUnpack,
  BoolValueSchema,
  DoubleValueSchema,
  FloatValueSchema,
  Int32ValueSchema,
  Int64ValueSchema,
  ListValueSchema,
  StringValueSchema,
  StructSchema,
  UInt32ValueSchema,
  UInt64ValueSchema,
  ValueSchema,
} from '@bufbuild/protobuf/wkt';
import { base64Encode } from '@bufbuild/protobuf/wire';
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
import { type ReadingRow, type ReadingSeriesRow, splitLines } from '../store/data/dataSchema';
import type { SeriesFilter } from '../store/data/readingsFilter';
import { type Micros, timestampFromMicros } from '../store/micros';
import { componentColumn, parseMethodParameters, toBinaryFilter } from './dataMessages';
import { toRangeLimit } from './wireTimes';

/** Returns the wire format of a series' capture metadata. */
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
    methodParameters: parseMethodParameters(series.method_parameters),
    tags: parseTags(series),
  });
}

/**
 * Returns a reading's wire format. The metadata for its series is at `metadataIndex` in the
 * response's metadata.
 */
export function tabularDataMessage(row: ReadingRow, metadataIndex: number) {
  return {
    data: parsePayload(row),
    metadataIndex,
    timeRequested: timestampFromMicros(row.requested_at),
    timeReceived: timestampFromMicros(row.received_at),
  };
}

/** Returns the wire format of an exported reading. */
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
    methodParameters: parseParameterLines(splitLines(series.parameters)),
    tags: parseTags(series),
    payload: parsePayload(row),
  });
}

/** Returns the captured data. Sensor readings are in the field `readings`. */
export function parsePayload({ payload }: ReadingRow): JsonObject {
  return JSON.parse(payload) as JsonObject;
}

function parseTags(series: ReadingSeriesRow): string[] {
  return splitLines(series.tags).map((line) => JSON.parse(line) as string);
}

/** Converts a wire filter to conditions on series. */
export function toSeriesConditions(
  filter: Filter | undefined,
): Pick<SeriesFilter, 'columns' | 'tags'> {
  const { columns, tags } = toBinaryFilter(filter);
  return {
    columns: columns.flatMap(({ column, anyOf }) =>
      column === 'mime_type' ? [] : [{ column, anyOf }],
    ),
    tags,
  };
}

/**
 * Returns true if a filter has conditions that only binary items can meet. Such filters select no
 * readings.
 */
export function requiresBinaryData(filter: Filter | undefined): boolean {
  const { mimeType = [], bboxLabels = [], datasetId = '' } = filter ?? {};
  return mimeType.length + bboxLabels.length > 0 || datasetId !== '';
}

/** Returns the conditions for an organization's series that a deletion selects. */
export function toDeletionConditions(
  organizationId: string,
  filter: DeleteTabularFilter | undefined,
): Pick<SeriesFilter, 'columns' | 'tags'> {
  return toSeriesConditions(
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

/** Returns the conditions for the readings that one method captured from one resource of a part. */
export function toResourceConditions(request: {
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

/** Returns the start (inclusive) and end (exclusive) of a capture interval. */
export function toTimeRange(interval: CaptureInterval | undefined): {
  start: Micros | undefined;
  end: Micros | undefined;
} {
  return {
    start: interval?.start && toRangeLimit(interval.start, 'interval.start'),
    end: interval?.end && toRangeLimit(interval.end, 'interval.end'),
  };
}

const WIDE_INTEGERS = [Int64ValueSchema, UInt64ValueSchema];

/** Registry of types that clients pack as values. */
const REGISTRY = createRegistry(
  BoolValueSchema,
  StringValueSchema,
  DoubleValueSchema,
  FloatValueSchema,
  Int32ValueSchema,
  UInt32ValueSchema,
  ...WIDE_INTEGERS,
  StructSchema,
  ListValueSchema,
  ValueSchema,
);

/**
 * Returns a capture's parameters as lines for `linesOf`. The lines are the members of a JSON object
 * in canonical order and notation, so that equal parameters result in identical text.
 */
export function parameterLines(parameters: JsonObject): string[] {
  return Object.entries(parameters)
    .map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(sorted(value))}`)
    .sort();
}

/** Parses the result of `parameterLines`. */
function parseParameterLines(lines: readonly string[]): JsonObject {
  return JSON.parse(`{${lines.join(',')}}`) as JsonObject;
}

/**
 * Converts packed values to JSON. Preserves the type name and bytes of values whose type is
 * unknown.
 */
export function unpackParameters(packed: Readonly<Record<string, Any>>): JsonObject {
  return Object.fromEntries(Object.entries(packed).map(([name, any]) => [name, unpackValue(any)]));
}

function unpackValue(any: Any): JsonValue {
  try {
    const message = anyUnpack(any, REGISTRY);
    const schema = message && REGISTRY.getMessage(message.$typeName);
    if (message && schema) {
      const value = toJson(schema, message);
      const isWide = WIDE_INTEGERS.some(({ typeName }) => typeName === schema.typeName);
      return isWide && Number.isSafeInteger(Number(value)) ? Number(value) : value;
    }
  } catch {
    // If bytes don't match their type, the value is treated like a value of unknown type.
  }
  return { '@type': any.typeUrl, value: base64Encode(any.value) };
}

function sorted(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, child]) => [name, sorted(child)]));
}
