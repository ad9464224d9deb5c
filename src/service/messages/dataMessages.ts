import { create, fromBinary, fromJsonString, toBinary, toJsonString } from '@bufbuild/protobuf';
import { base64Decode, base64Encode } from '@bufbuild/protobuf/wire';
import { extname } from 'node:path';
import {
  type Annotations,
  AnnotationsSchema,
  type BinaryData,
  BinaryDataSchema,
  type CaptureMetadata,
  CaptureMetadataSchema,
  type Filter,
  type TagsFilter,
  TagsFilterType,
} from '../../gen/viam/app/data/v1/data_pb';
import { type Dataset, DatasetSchema } from '../../gen/viam/app/dataset/v1/dataset_pb';
import { toRangeLimit } from './wireTimes';
import type { BinaryFilter, TagCondition } from '../store/data/binaryFilter';
import type { BinaryDataRow, BoundingBoxRow, DatasetRow } from '../store/data/dataSchema';
import { timestampFromMicros } from '../store/micros';
import { MimeType } from '../../gen/viam/app/datasync/v1/data_sync_pb';

/** Data for a binary item that its row doesn't contain. */
export interface BinaryDetails {
  tags: readonly string[];
  boxes: readonly BoundingBoxRow[];
  datasetIds: readonly string[];
  /** URL of the item's content. */
  uri: string;
  /** The item's content, if requested. */
  content: Uint8Array | undefined;
}

/** Returns a binary item's wire format. */
export function binaryDataMessage(row: BinaryDataRow, details: BinaryDetails): BinaryData {
  return create(BinaryDataSchema, {
    binary: details.content ?? new Uint8Array(),
    metadata: {
      id: row.id,
      binaryDataId: row.id,
      captureMetadata: {
        organizationId: row.organization_id,
        locationId: row.location_id,
        robotName: row.robot_name,
        robotId: row.robot_id,
        partName: row.part_name,
        partId: row.part_id,
        componentType: row.component_type,
        componentName: row.component_name,
        methodName: row.method_name,
        methodParameters: parseMethodParameters(row.method_parameters),
        tags: [...details.tags],
        mimeType: row.mime_type,
      },
      timeRequested: timestampFromMicros(row.requested_at),
      timeReceived: timestampFromMicros(row.received_at),
      fileName: row.file_name,
      fileExt: row.file_ext,
      fileSizeBytes: BigInt(row.file_size),
      uri: details.uri,
      annotations: annotationsMessage(row.classifications, details.boxes),
      datasetIds: [...details.datasetIds],
    },
  });
}

function annotationsMessage(
  classifications: string | null,
  boxes: readonly BoundingBoxRow[],
): Annotations {
  const annotations =
    classifications === null
      ? create(AnnotationsSchema)
      : fromJsonString(AnnotationsSchema, classifications);
  const bboxes = boxes.map((box) => ({
    id: box.id,
    label: box.label,
    xMinNormalized: box.x_min,
    yMinNormalized: box.y_min,
    xMaxNormalized: box.x_max,
    yMaxNormalized: box.y_max,
    ...(box.confidence !== null && { confidence: box.confidence }),
  }));
  return create(AnnotationsSchema, { classifications: annotations.classifications, bboxes });
}

/**
 * Returns the stored format of the classifications that were sent with an item; null if there are
 * none.
 */
export function serializeClassifications(annotations: Annotations | undefined): string | null {
  const classifications = annotations?.classifications ?? [];
  return classifications.length === 0
    ? null
    : toJsonString(AnnotationsSchema, create(AnnotationsSchema, { classifications }));
}

type MethodParameters = CaptureMetadata['methodParameters'];

/**
 * Returns the stored format of method parameters; null if there are none. Only clients can
 * interpret the parameter types.
 */
export function serializeMethodParameters(methodParameters: MethodParameters): string | null {
  return Object.keys(methodParameters).length === 0
    ? null
    : base64Encode(
        toBinary(CaptureMetadataSchema, create(CaptureMetadataSchema, { methodParameters })),
      );
}

/** Parses method parameters from the result of `serializeMethodParameters`. */
export function parseMethodParameters(text: string | null): MethodParameters {
  return text === null
    ? {}
    : fromBinary(CaptureMetadataSchema, base64Decode(text)).methodParameters;
}

/** Returns a component's type name without its prefix: `camera` for `rdk:component:camera`. */
export function componentKind(componentType: string): string {
  return componentType.slice(componentType.lastIndexOf(':') + 1);
}

/**
 * Types of components whose captured data is processed by the service itself, for cloud mapping.
 */
export const INTERNAL_KINDS: readonly string[] = ['slam'];

/**
 * Returns the column and value for filtering by a component type. A bare name matches itself and
 * all full names of that type. A full name matches itself and the bare name.
 */
export function componentColumn(componentType: string): {
  column: 'component_type' | 'component_kind';
  anyOf: readonly string[];
} {
  return componentType.includes(':')
    ? { column: 'component_type', anyOf: [componentType, componentKind(componentType)] }
    : { column: 'component_kind', anyOf: componentType === '' ? [] : [componentType] };
}

/** Converts a wire filter. An absent filter selects all items. */
export function toBinaryFilter(filter: Filter | undefined): BinaryFilter {
  if (filter === undefined) return { columns: [], boxLabels: [] };
  const one = (text: string): string[] => (text === '' ? [] : [text]);
  const { interval } = filter;
  return {
    columns: [
      { column: 'component_name', anyOf: one(filter.componentName) },
      componentColumn(filter.componentType),
      { column: 'method_name', anyOf: one(filter.method) },
      { column: 'robot_name', anyOf: one(filter.robotName) },
      { column: 'robot_id', anyOf: one(filter.robotId) },
      { column: 'part_name', anyOf: one(filter.partName) },
      { column: 'part_id', anyOf: one(filter.partId) },
      { column: 'location_id', anyOf: filter.locationIds },
      { column: 'organization_id', anyOf: filter.organizationIds },
      { column: 'mime_type', anyOf: filter.mimeType },
    ],
    start: interval?.start && toRangeLimit(interval.start, 'interval.start'),
    end: interval?.end && toRangeLimit(interval.end, 'interval.end'),
    tags: filter.tagsFilter && toTagCondition(filter.tagsFilter),
    boxLabels: filter.bboxLabels,
    datasetId: filter.datasetId || undefined,
  };
}

function toTagCondition({ type, tags }: TagsFilter): TagCondition | undefined {
  switch (type) {
    case TagsFilterType.TAGGED:
      return 'tagged';
    case TagsFilterType.UNTAGGED:
      return 'untagged';
    case TagsFilterType.MATCH_BY_OR:
      return { anyOf: tags };
    default:
      return tags.length === 0 ? undefined : { anyOf: tags };
  }
}

/** Returns a dataset's wire format. */
export function datasetMessage(row: DatasetRow): Dataset {
  return create(DatasetSchema, {
    id: row.id,
    name: row.name,
    organizationId: row.organization_id,
    timeCreated: timestampFromMicros(row.created_at),
    type: row.type,
  });
}

const UNKNOWN = 'application/octet-stream';

const BY_EXTENSION: Readonly<Record<string, string>> = {
  '.bmp': 'image/bmp',
  '.csv': 'text/csv',
  '.gif': 'image/gif',
  '.gz': 'application/gzip',
  '.html': 'text/html',
  '.jpeg': 'image/jpeg',
  '.jpg': 'image/jpeg',
  '.json': 'application/json',
  '.log': 'text/plain',
  '.md': 'text/markdown',
  '.mp3': 'audio/mpeg',
  '.mp4': 'video/mp4',
  '.pcd': 'pointcloud/pcd',
  '.pdf': 'application/pdf',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.tar': 'application/x-tar',
  '.tiff': 'image/tiff',
  '.txt': 'text/plain',
  '.wav': 'audio/wav',
  '.webp': 'image/webp',
  '.xml': 'application/xml',
  '.zip': 'application/zip',
};

/** File extensions for the formats that older clients specify instead of an extension. */
const EXTENSIONS: Readonly<Partial<Record<MimeType, string>>> = {
  [MimeType.IMAGE_JPEG]: '.jpeg',
  [MimeType.IMAGE_PNG]: '.png',
  [MimeType.APPLICATION_PCD]: '.pcd',
  [MimeType.VIDEO_MP4]: '.mp4',
};

/**
 * Returns an extension with its leading period, which the client might have omitted; empty if there
 * is no extension.
 */
export function toExtension(sent: string, format = MimeType.UNSPECIFIED): string {
  if (sent === '') return EXTENSIONS[format] ?? '';
  return sent.startsWith('.') ? sent : `.${sent}`;
}

/**
 * Returns a file's MIME type. It is based on the given extension or, if that is empty, on the
 * extension in the file name.
 */
export function getMimeType(extension: string, fileName: string): string {
  return BY_EXTENSION[(extension || extname(fileName)).toLowerCase()] ?? UNKNOWN;
}
